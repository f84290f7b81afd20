import { EVENTS } from '../../../catalogue/event-types.js';
import { FAULT_KINDS } from '../../../sandbox/serve/injected-faults.js';
import {
  argumentRows,
  type CommandSpec,
  type OptionsOf,
  optionRows,
  subcommandRows,
} from '../../../session/context/spec.js';

const last = { '--last <span>': "on the sandbox's clock, the last 12h, 30d, 1y (default 1d)" } as const;
const ofRuns = optionRows({
  ...last,
  '--notation <event>': 'only runs started by this event, or one below it',
});

export const spec = {
  name: 'sandbox',
  place: 160,
  about: 'the embedded service: reset, serve, clock, keys, events, snapshots, status',
  description: 'The embedded service, with its own database file.',
  commands: subcommandRows({
    reset: {
      dryRun: 'shows',
      about: 'Recreate the data, backwards from today; the previous data is deleted.',
      options: optionRows({
        '--seed <n>': 'equal seeds give equal data on the same day',
        '--size <size>': 'small, medium, large, or a number of renewals',
        '--live-data <full|empty>': {
          about: 'empty: live mode has only its campaigns, to be set up from test mode',
          values: ['full', 'empty'],
        },
        '--refund-transactions': 'also record each refund as its own transaction',
      }),
    },
    serve: {
      about:
        'Serve it over HTTP for any client, until Ctrl-C; prints the base URL and keys. /metrics is for Prometheus.',
      options: optionRows({
        '--port <n>': 'port to listen on (default: any free one)',
        '--latency <ms>': 'delay each answer by this',
        '--rate-limit <n>': 'answer 429 above this many requests a second',
        '--fault <kind=share>': {
          about:
            'inject faults into this share of calls, one in five (500=1/5), or the next 3 to a family: 503=3x@sales; repeat for more',
          many: true,
          values: Object.entries(FAULT_KINDS).map(([kind, { about }]) => [`${kind}=`, about] as const),
        },
        '--fault-seed <n>': 'the same number gives the same faults',
        '--control [port]': 'the port to change clock, faults and keys over HTTP, with the token it prints',
        '--range-ends <in|out>': 'whether a date range includes its ends',
        '--host <name>': { about: 'also answer under this name; repeat for more', many: true },
      }),
    },
    status: { dryRun: 'reads', about: 'Show where the data is, how much there is, and the time on its clock.' },
    events: {
      dryRun: 'reads',
      about: 'List account events that happened in it, in both modes, oldest first.',
      options: optionRows({
        ...last,
        '--notation <event>': {
          about: 'this event and those below it: sale.created, trial.updated.expired',
          values: EVENTS,
        },
        '--follow': 'continue until Ctrl-C; a server on the same data may raise events',
      }),
      examples: [
        'sandbox events --last 7d',
        'sandbox events --notation sale.created -o json',
        'sandbox events --follow -o table',
      ],
    },
    trigger: {
      dryRun: 'shows',
      about: 'Make an account event happen with its items, by the rules of the service.',
      arguments: [{ name: '<event>', about: 'of cops reference events', values: 'event' }],
      options: optionRows({
        '--item <id>': 'the item it happens to; if it starts with a sale, the buying customer',
        '-d, --data <path=value>': {
          about: 'a field for the writes that make it happen, if they accept it; repeat for more',
          many: true,
        },
      }),
      examples: [
        'sandbox trigger sale.created.success.paid',
        'sandbox trigger sale.created.success.paid -d customer.email=qa@example.com',
        'sandbox trigger subscription.updated.status.overdue -o json',
        'sandbox trigger trial.updated.extended --item 3v3FPrHVCfqBCcM7Tjzs',
      ],
    },
    seed: {
      dryRun: 'shows',
      about: 'Make sure the items that a file names exist: products, customers, sales, subscriptions in a state.',
      arguments: [{ name: '[file]', about: 'YAML; - for standard input', values: 'file or input' }],
      options: [{ flags: '--schema', about: 'print the JSON Schema of the file, for editors' }],
      examples: ['sandbox seed shop.yaml', 'sandbox seed shop.yaml --live', 'sandbox seed --schema'],
    },
    runs: {
      dryRun: 'reads',
      about: 'List function runs in it: the result and log of each, oldest first.',
      options: ofRuns,
      examples: ['sandbox runs', 'sandbox runs --last 30d -o json'],
    },
    outbox: {
      dryRun: 'reads',
      about: 'List mail that it would have sent, oldest first; no mail leaves this machine.',
      options: ofRuns,
      examples: ['sandbox outbox', 'sandbox outbox --notation sale.created -o json'],
    },
    answers: {
      dryRun: 'shows',
      about: 'Show or set the script that answers for the model when AI assistants run.',
      arguments: [{ name: '[file]', about: 'a JSON list of answers; - for standard input', values: 'file or input' }],
      options: [{ flags: '--clear', about: 'remove the script' }],
      examples: ['sandbox answers', 'sandbox answers answers.json', 'sandbox answers --clear'],
    },
    keys: {
      dryRun: 'shows',
      about: 'Manage its keys, also while it serves: keys list | add | disable | enable.',
      arguments: [
        {
          name: '[action]',
          values: [
            ['list', 'all keys, what each may do'],
            ['add', 'a new one, in test mode or with --live in live mode'],
            ['disable', 'calls with it get a 401 from now on'],
            ['enable', 'allow it again'],
          ],
        },
        { name: '[key]' },
      ],
      options: optionRows({
        '--name <name>': 'name of a new key',
        '--permission <resource:action>': {
          about: 'limit a new key to this: invoice:create, *:retrieve, none; repeat for more',
          many: true,
        },
      }),
      examples: [
        'sandbox keys add --name reader --permission "*:retrieve"',
        'sandbox keys add --live --permission invoice:create,invoice:retrieve',
        'sandbox keys disable reader',
      ],
    },
    clock: {
      dryRun: 'shows',
      about: "Show or move the sandbox's clock: clock show | advance 40d | set 2026-12-31",
      arguments: argumentRows({
        '[action]': {
          values: [
            ['show', 'what it says'],
            ['advance', 'forward by a span'],
            ['set', 'to a moment'],
            ['reset', 'back to now'],
          ],
        },
        '[value]': { values: 'clock value' },
      }),
    },
    snapshot: {
      dryRun: 'shows',
      about: 'Save the whole service under a name, and restore it: snapshot save | restore | list | remove.',
      arguments: [
        {
          name: '[action]',
          values: [
            ['save', 'save items, keys, queues and clock as they are now'],
            ['restore', 'restore all of it; everything since is lost'],
            ['list', 'list the snapshots'],
            ['remove', 'delete one'],
          ],
        },
        { name: '[name]' },
      ],
      examples: ['sandbox snapshot save before-refunds', 'sandbox snapshot restore before-refunds'],
    },
  }),
  examples: ['sandbox status', 'sandbox serve --fault 500=0.05', 'sandbox clock advance 40d'],
} as const satisfies CommandSpec;

export type SandboxCommandOptions = OptionsOf<typeof spec>;
