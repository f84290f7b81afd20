import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'policy',
  dryRun: 'reads',
  place: 96,
  about: 'limits on what may be written from this machine',
  description:
    'Limits on what may be written from this machine, by people and by agents. Without more words: the rules.',
  arguments: [],
  commands: [
    { name: 'show', dryRun: 'reads', about: 'The rules that stand, and where they are.' },
    {
      name: 'check',
      dryRun: 'reads',
      about: 'Say what the rules would do with a command line; nothing is written.',
      arguments: [{ name: '<line...>', about: 'a write as on the command line, without cops' }],
      lineFollows: true,
    },
    {
      name: 'add',
      dryRun: 'shows',
      about: 'Add one rule: what may not be written, or most of it.',
      arguments: [{ name: '[words...]', about: 'the same in words: refunds over 100 USD, or subscriptions cancel' }],
      options: [
        {
          flags: '--operations <list>',
          about: 'what the rule speaks of: "transactions refund", sales, refund (of all families); all without it',
          many: true,
        },
        {
          flags: '--only <list>',
          about: 'nothing but these may be written: refund, "customers edit", sales',
          many: true,
        },
        { flags: '--most <amount>', about: 'most for one write: "100 USD"; other currencies may not move', many: true },
        { flags: '--most-a-day <amount>', about: 'most for a day: "500 USD"', many: true },
        { flags: '--never [list]', about: 'these may not be written: "subscriptions cancel"', many: true },
        { flags: '--writes-an-hour <n>', about: 'most writes within any hour' },
        {
          flags: '--who <who>',
          about: 'whose writes: person, agent; all without it',
          many: true,
          values: ['person', 'agent'],
        },
        {
          flags: '--modes <mode>',
          about: 'of which mode: test, live; both without it',
          many: true,
          values: ['test', 'live'],
        },
        { flags: '--name <name>', about: 'what the rule is called' },
      ],
    },
    {
      name: 'remove',
      dryRun: 'shows',
      about: 'Remove one rule, by its name.',
      arguments: [{ name: '<name>', about: 'as policy show tells it' }],
    },
    {
      name: 'edit',
      dryRun: 'shows',
      about: 'Change the rules in $EDITOR, or take them from a file.',
      options: [{ flags: '--file <file>', about: 'take the rules from this file; - reads standard input' }],
    },
  ],
  notes: `
The rules are a rail, not a wall: they stop what cops would send, and whoever
may change files of this account may change them. They hold for single and bulk
writes of all processes of this machine; a rule that stops a write ends with
exit code 12.
`,
  examples: [
    'policy show',
    'policy add --operations refund --most "100 USD"',
    'policy add --who agent --only refund --most "20 USD"',
    'policy check transactions refund G8j5ZvvPEyB7YTadFzKU -d amount=5',
  ],
};
