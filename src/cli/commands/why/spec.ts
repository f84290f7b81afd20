import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'why',
  place: 93,
  curl: 'reads',
  about: 'why something failed or is pending, and what to do',
  description:
    "Explain the state of a payment, renewal, sale, subscription, refund or salvage: attempts, the gateway's answer, card, what happens next, what you can do.",
  arguments: [{ name: '<id-or-who>', about: 'the item or an order number; for a customer the newest failure' }],
  options: [
    { flags: '--family <family>', about: 'the family of the id, if known' },
    { flags: '--all', about: 'read every item it names, using as many requests as needed' },
  ],
  examples: ['why farid.haddad.43@example.com', 'why xhbVfLBuuTjHMRBGlHRc', 'why xhbVfLBuuTjHMRBGlHRc -o json'],
};
