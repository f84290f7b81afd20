import type { CommandSpec } from '../../command/spec.js';
import { RANGE_OPTIONS } from '../../time/range.js';

export const spec: CommandSpec = {
  name: 'overview',
  place: 110,
  about: 'counts and sums of the business over some days',
  description: 'Counts and sums per currency of sales, renewals, refunds, chargebacks, trials and salvage, by day.',
  options: [...RANGE_OPTIONS, { flags: '--html <file>', about: 'write one page with charts that needs no network' }],
};
