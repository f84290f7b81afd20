import { REPORT_NAMES } from '../../../data/report/report-names.js';
import { REPORT_OPTIONS } from '../../../data/report/report-options.js';
import { argumentRows, type CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'report',
  noCurl:
    'its figures come from the mirror, and only the mirror knows which windows it must read again; cops sync --dry-run counts them',
  dryRun: 'shows',
  place: 112,
  about: 'revenue, refunds, recurring revenue, a closed month',
  description: 'Figures of the business, from a mirror: each proven to the cent, each currency separate.',
  arguments: argumentRows({
    '[name]': { about: 'the report; without it, list all reports', values: Object.entries(REPORT_NAMES) },
  }),
  options: REPORT_OPTIONS,
  examples: [
    'report revenue --month last',
    'report fees --month last --by gateway',
    'report tax --quarter last --by state',
    'report customers --top 20',
    'report revenue --last 6mo --by card.brand --across month',
    'report refunds --quarter last --by product --top 5 --chart',
    'report retention --html retention.html',
    'report aging --by customer',
    'report forecast --next 90d --by week,product',
    'report close --month last --journal hledger',
    'report close --month last --lock',
    'report close --month 2026-10 --adjustments',
    'report revenue --month 2026-10 --as closed',
  ],
};
