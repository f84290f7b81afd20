import {
  argumentRows,
  type CommandSpec,
  DEFAULTS,
  type OptionSpec,
  optionRows,
  subcommandRows,
} from '../../../session/context/spec.js';
import { MCP_CLIENTS } from '../../mcp/clients.js';

const options: readonly OptionSpec[] = optionRows({
  '--allow <risks>':
    'the risks that may be prepared and committed: write,money,irreversible. Each allows all operations of that risk; a policy with --only narrows them',
  '--read-only': 'allow no writes; the default without --allow',
  '--families <list>': 'only these families, comma-separated',
  '--max-bytes <n>': `longest answer; a larger one is kept as a resource (default ${DEFAULTS.answerBytes})`,
  '--mask': 'hide personal data of customers',
});

export const spec: CommandSpec = {
  name: 'mcp',
  place: 97,
  about: 'a Model Context Protocol server on standard input and output',
  description:
    'A Model Context Protocol server on standard input and output: read-only and in test mode by default. ' +
    `\`cops mcp install <client>\` writes it for ${MCP_CLIENTS.map(({ name }) => name).join(', ')}.`,
  arguments: [],
  options,
  commands: subcommandRows({
    install: {
      dryRun: 'shows',
      about: "Write the server into a client's configuration file, after showing the entry.",
      arguments: argumentRows({
        '<client>': {
          about: MCP_CLIENTS.map(({ name }) => name).join(', '),
          values: MCP_CLIENTS.map(({ name, about }) => [name, about] as const),
        },
      }),
      options: [
        ...options,
        { flags: '--file <file>', about: "a file other than the client's usual one" },
        { flags: '--name <name>', about: 'name of the entry (default cops)' },
      ],
      examples: [
        'mcp install claude-code',
        'mcp install claude-desktop --mask --allow write',
        'mcp install cursor --dry-run',
      ],
    },
  }),
  examples: ['mcp', 'mcp --allow write,money', 'mcp --families customers,subscriptions --mask'],
};
