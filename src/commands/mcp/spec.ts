import { DEFAULTS } from '../../command/defaults.js';
import type { CommandSpec } from '../../command/spec.js';

export const spec: CommandSpec = {
  name: 'mcp',
  place: 97,
  about: 'a Model Context Protocol server on standard input and output',
  description:
    'A Model Context Protocol server on standard input and output: read-only and in test mode unless said otherwise.',
  options: [
    { flags: '--allow <risks>', about: 'what may be prepared and committed: write,money,irreversible' },
    { flags: '--families <list>', about: 'only these families, comma-separated' },
    {
      flags: '--max-bytes <n>',
      about: `longest answer; what is larger is kept as a resource (default ${DEFAULTS.answerBytes})`,
    },
    { flags: '--mask', about: 'hide personal data of customers' },
  ],
};
