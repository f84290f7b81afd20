import type { CommandSpec } from '../../command/spec.js';

export const spec: CommandSpec = {
  name: 'overview',
  place: 110,
  about: 'counts and sums of the business over some days',
  description: 'Counts and sums per currency of sales, renewals, refunds, chargebacks, trials and salvage, by day.',
  options: [
    { flags: '--last <span>', about: 'the days that end now: 30d (default), 12w, 3mo' },
    { flags: '--from <when>', about: 'begin of the range instead' },
    { flags: '--to <when>', about: 'end of the range (default: now)' },
    { flags: '--html <file>', about: 'write one page with charts that needs no network' },
  ],
};
