import { WHOLE_RANGE_OPTIONS } from '../../../base/time/range-options.js';
import { type CommandSpec, DEFAULTS } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'pick',
  dryRun: 'shows',
  place: 91,
  about: 'choose one item at the terminal, to use its id in another command',
  description:
    "Choose one item of a family's list at the terminal by typing part of its row; only its id goes to standard output.",
  usage: '<family> [filters]',
  familyOptions: 'parsed',
  arguments: [{ name: '<family>', about: 'the family whose list to choose from', values: 'listed family' }],
  options: [
    ...WHOLE_RANGE_OPTIONS,
    { flags: '--where <condition>', about: 'offer only matching rows; repeat for more', many: true },
    { flags: '--sort <fields>', about: 'sort; a dash puts the largest first', many: true },
    { flags: '--limit <n>', about: `rows to choose from (default ${DEFAULTS.terminalItems})` },
    { flags: '--all', about: 'offer all rows of the list' },
  ],
  notes: `
It takes whatever chooses rows of the family's list: cops <family> list --help.
The list is drawn on standard error, so standard output may be a variable or a
pipe. Esc or "None of these" prints nothing and ends with 2, so in
"cops subscriptions cancel $(cops pick subscriptions)" nothing is cancelled then.
Without a person at a terminal it is refused: cops <family> list -o ids.`,
  examples: ['pick subscriptions', 'pick customers --where country=CAN', 'pick products --sort name --all'],
};
