// node bench/compare-reports.mjs <before> <its mirror> <after> <its mirror> [word]: every report, by most of its words,
// asked of two builds (folders with bin/ and dist/) from two mirrors of the same account: whether figures and exit codes
// are equal, and the processor seconds of both. COPS_DATA_DIR and COPS_CONFIG_DIR say whose profile; a word picks lines.
import path from 'node:path';
import { measured } from './measured.mjs';

const [before, itsMirror, after, mirror, only = ''] = process.argv.slice(2);
const now = new Date();
const day = (months) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
const YEAR = `--from ${day(-12)} --to ${day(0)}`;
const WORDS = ['kind', 'product', 'payment_type', 'campaign', 'country', 'state', 'gateway', 'card.brand', 'customer'];

const LINES = [
  ...WORDS.map((word) => `revenue ${YEAR} --by ${word}`),
  `revenue ${YEAR}`,
  `revenue ${YEAR} --by month`,
  `revenue ${YEAR} --by month,gateway`,
  `revenue ${YEAR} --by product --top 3`,
  `revenue ${YEAR} --by weekday --currency USD`,
  'revenue --month last',
  'revenue --month last --by gateway',
  'revenue --month last --by product,gateway',
  'revenue --month last --by gateway --where country=USA',
  'revenue --month last --by product --where gross>20',
  ...['fees', 'refunds', 'failures', 'discounts', 'tax', 'recovery', 'trials', 'chargebacks'].flatMap((name) => [
    `${name} --month last`,
    `${name} ${YEAR} --by month`,
    `${name} ${YEAR} --by country`,
    `${name} ${YEAR} --by gateway`,
  ]),
  `failures ${YEAR} --by reason`,
  `refunds --quarter last --by product`,
  `tax ${YEAR} --by state`,
  'customers --top 20',
  'customers',
  'customers --month last --top 5',
  'customers --by country',
  'duplicates --month last',
  `duplicates ${YEAR}`,
  'mrr --month last',
  `mrr ${YEAR}`,
  'mrr --month last --by product',
  'mrr --month last --by gateway',
  'mrr --month last --with-trials --overdue-days 5',
  'churn --month last',
  `churn ${YEAR}`,
  'churn --month last --by campaign',
  'retention',
  'retention --by country',
  'ltv',
  'ltv --by campaign',
  'aging',
  'aging --by customer',
  'forecast',
  'forecast --by month,product',
  'close --month last',
];

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const HOUR = 3_600_000;

/** The output without the path of the mirror, and with the times that differ between the two runs masked. */
const plain = (out, from) =>
  out.replaceAll(from, 'MIRROR').replace(MOMENT, (at) => (Date.now() - Date.parse(at) < HOUR ? 'now' : at));

/** What a build prints for a mirror, or how it ended, and the seconds it took. */
async function asked(build, from, line) {
  const words = ['report', ...line.split(' '), '--mirror', from, '-o', 'json', '-q'];
  try {
    const { cpu, out } = await measured(process.execPath, [path.join(build, 'bin/cops.js'), ...words], {});
    return { cpu, out: plain(out, from) };
  } catch (error) {
    return {
      cpu: Number.NaN,
      out: String(error.message)
        .replaceAll(from, 'MIRROR')
        .replace(/used .*/s, '')
        .replace(/^.*ended/, ''),
    };
  }
}

let different = 0;
for (const line of LINES.filter((one) => one.includes(only))) {
  const [one, other] = [await asked(before, itsMirror, line), await asked(after, mirror, line)];
  const isSame = one.out === other.out;
  if (!isSame) different++;
  console.log(`${isSame ? 'equal    ' : 'DIFFERENT'} ${one.cpu.toFixed(2)} s, then ${other.cpu.toFixed(2)} s: ${line}`);
}
console.log(`${different} of the lines differ`);
process.exitCode = different === 0 ? 0 : 1;
