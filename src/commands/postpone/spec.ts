import type { FamilyActionSpec } from '../../command/spec.js';

export const spec: FamilyActionSpec = {
  name: 'postpone',
  families: ['subscriptions'],
  about: 'Move the next renewal later: a pause with an end',
  arguments: [{ name: '<id>', about: 'the subscription, or what it is called by' }],
  options: [
    { flags: '--by <span>', about: 'how much later: 10d, 2w, 1mo, 1y', required: true },
    { flags: '--idempotency-key <key>', about: 'use this key instead of a new one' },
    { flags: '--no-idempotency-key', about: 'send without a key: nothing is sent twice then' },
    { flags: '--again', about: 'repeat a write whose outcome is unknown' },
    { flags: '--reason <text>', about: 'why, kept in the history; a policy may want it' },
    { flags: '--no-strict-ids', about: 'with --yes: a name confirms a live write as an id does' },
  ],
  examples: [
    'subscriptions postpone xhbVfLBuuTjHMRBGlHRc --by 1mo',
    'subscriptions postpone xhbVfLBuuTjHMRBGlHRc --by 2w --dry-run',
    'subscriptions postpone katarzyna.rossi.23@example.com --by 10d',
  ],
};
