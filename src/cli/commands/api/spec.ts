import { argumentRows, type CommandSpec, REASON_OPTION } from '../../../session/context/spec.js';

export const spec = {
  name: 'api',
  dryRun: 'shows',
  place: 120,
  about: 'any request to the service, with the same guards',
  description: 'Send any request to the service: GET or POST, with the same guards, bodies, paging and output.',
  arguments: argumentRows({ '<method>': { values: ['GET', 'POST'] }, '<path>': { values: 'path' } }),
  options: [
    { flags: '--param <name=value>', about: 'query parameter; repeat for more', many: true },
    { flags: '--body <json | @file | ->', about: 'the body of a POST' },
    { flags: '-d, --data <path=value>', about: 'one field of the body; repeat for more', many: true },
    { flags: '-i, --include', about: 'also show the status and headers of the response' },
    { flags: '-H, --header <name: value>', about: 'a request header; repeat for more', many: true },
    { flags: '--paginate', about: 'read every page of a list' },
    { flags: '--idempotency-key <key>', about: 'use this key instead of a new one' },
    { flags: '--no-idempotency-key', about: 'send without a key' },
    { flags: '--again', about: 'repeat a write whose outcome is unknown' },
    REASON_OPTION,
  ],
  examples: [
    "api GET '/campaigns?limit=5&page=1'",
    'api GET /transactions --param date_start=7d --param date_end=now --paginate',
    'api POST /customers/tmjx22EQ9S8ZOpJ4tGCQ/disable --dry-run',
  ],
} as const satisfies CommandSpec;
