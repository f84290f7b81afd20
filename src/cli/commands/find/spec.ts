import { type CommandSpec, DEFAULTS } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'find',
  place: 92,
  curl: 'reads',
  about: 'what an id, e-mail, name, order or card number is',
  description:
    'What a word is, wherever it stands: an id of any family, an e-mail address, a name, an order number, the last four digits of a card, an id of a gateway or wallet, an error code.',
  arguments: [{ name: '<anything>', about: 'what to look for' }],
  options: [
    { flags: '--in <families>', about: 'look in these families only, comma-separated' },
    { flags: '--all', about: 'look in every family that can be asked, with as many requests as that takes' },
    { flags: '--pick', about: 'choose one of what is found at the terminal, and show that' },
    { flags: '--as-of <when>', about: 'as the mirror had seen it by then: it must have watched' },
    {
      flags: '--max-age <span>',
      about: `ask the service for what the mirror has read longer ago (default ${DEFAULTS.mirrorAge})`,
    },
    { flags: '--no-sync', about: 'answer from the mirror as it is, without a request' },
  ],
  examples: ['find katarzyna.rossi.23@example.com', 'find 4242', 'find Weekly --in subscription-profiles'],
};
