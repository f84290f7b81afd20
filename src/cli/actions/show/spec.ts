import { DEFAULTS, type FamilyActionSpec, optionRows } from '../../../session/context/spec.js';

export const spec: FamilyActionSpec = {
  name: 'show',
  families: ['customers'],
  curl: 'reads',
  about: 'Show a whole customer on one screen: cards, subscriptions, payments, pending items',
  arguments: [{ name: '<who>', about: 'an id, an e-mail address, an internal id or an exact name' }],
  options: optionRows({
    '--since <when>': 'look back to then, using as many requests as needed (default: 90 days)',
    '--all': 'look at everything there is, and show every row',
    '--max-age <span>': `query the service for data the mirror read longer ago (default ${DEFAULTS.mirrorAge})`,
  }),
  examples: [
    'customers show katarzyna.rossi.23@example.com',
    'customers show C-10023 --since 1y',
    'customers show katarzyna.rossi.23@example.com -o json',
  ],
};
