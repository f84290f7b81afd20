import { type CommandSpec, DEFAULTS, optionRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'find',
  place: 92,
  curl: 'reads',
  about: 'what an id, e-mail, name, order or card number is',
  description:
    'Find what a word is, wherever it appears: an id of any family, an e-mail address, a name, an order number, the last four digits of a card, an id of a gateway or wallet, an error code.',
  arguments: [{ name: '<anything>', about: 'what to look for' }],
  options: optionRows({
    '--in <families>': 'search only these families, comma-separated',
    '--all': 'search every family that can be searched, using as many requests as needed',
    '--pick': 'choose one of the results at the terminal, and show it',
    '--as-of <when>': 'as the mirror knew it then; the mirror must be older than that',
    '--max-age <span>': `query the service for data that the mirror read longer ago (default ${DEFAULTS.mirrorAge})`,
    '--no-sync': 'answer from the mirror as it is, without a request',
  }),
  examples: ['find katarzyna.rossi.23@example.com', 'find 4242', 'find Weekly --in subscription-profiles'],
};
