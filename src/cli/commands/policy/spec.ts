import { RULE_FIELDS } from '../../../account/policy/rule-fields.js';
import { type CommandSpec, subcommandRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'policy',
  dryRun: 'reads',
  place: 96,
  about: 'limits on what may be written with this configuration',
  description:
    'Limits on what may be written with this configuration, by people and by agents. Without further words: show the rules.',
  arguments: [],
  commands: subcommandRows({
    show: { dryRun: 'reads', about: 'Show the current rules and where they are stored.' },
    check: {
      dryRun: 'reads',
      about: 'Show how the rules would judge a command; nothing is written.',
      arguments: [{ name: '<line...>', about: 'a write as on the command line, without "cops"' }],
      lineFollows: true,
    },
    add: {
      dryRun: 'shows',
      about: 'Add one rule: writes that are forbidden, or a limit on them.',
      arguments: [{ name: '[words...]', about: 'the same in words: refunds over 100 USD, or subscriptions cancel' }],
      options: [
        ...RULE_FIELDS.flatMap(({ option, reads, values }) =>
          option
            ? [{ flags: option[0], about: option[1], many: !['count', 'hours', 'flag'].includes(reads), values }]
            : [],
        ),
        { flags: '--name <name>', about: 'name of the rule' },
      ],
    },
    remove: {
      dryRun: 'shows',
      about: 'Remove one rule, by its name.',
      arguments: [{ name: '<name>', about: 'as shown by policy show' }],
    },
    edit: {
      dryRun: 'shows',
      about: 'Edit the rules in $EDITOR, or read them from a file.',
      options: [
        { flags: '--file <file>', about: 'read the rules from this file; - reads standard input' },
        { flags: '--schema', about: 'print the JSON Schema of the file, for editors' },
      ],
    },
  }),
  notes: `
The rules are a rail, not a wall: they stop writes made through cops, and anyone who
may change files of this account may change them. They hold for single and bulk
writes of all processes that use this configuration folder, and for nobody else:
another user, or another COPS_CONFIG_DIR, has rules of its own. For a whole team
and all its machines: the rules of its ledger (cops team --help). A rule that
stops a write ends with exit code 12.
`,
  examples: [
    'policy show',
    'policy add --operations refund --most "100 USD"',
    'policy add --who agent --only refund --most "20 USD"',
    'policy check transactions refund G8j5ZvvPEyB7YTadFzKU -d amount=5',
  ],
};
