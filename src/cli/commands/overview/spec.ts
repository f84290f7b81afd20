import { RANGE_OPTIONS } from '../../../base/time/range-options.js';
import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'overview',
  place: 110,
  curl: 'reads',
  about: 'counts and amounts of the business over a few days',
  description:
    'Show counts and amounts per currency by day, read from the service: sales and renewals as in cops report revenue, failures, ' +
    'refunds, chargebacks and trials as in their reports, salvage as in cops report recovery. A trial counts on the day it ' +
    'began, with what it has brought since. cops report queries a mirror, and shows more.',
  options: [...RANGE_OPTIONS, { flags: '--html <file>', about: 'write a page with charts that works offline' }],
  examples: ['overview --last 30d', 'overview --month last', 'overview --quarter this --html overview.html'],
};
