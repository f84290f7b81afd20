// npm run bench guard: ratios of some two minutes, each held to a bound a little above what it was when it was last set.
// A ratio above its bound ends with 1, which fails a release. Bounds are lowered when a change earns it, and raised in
// no commit that does not say why.
import { bulkRatios } from './bulk.bench.mjs';
import { exportRatios } from './export.bench.mjs';
import { startupRatios } from './startup.bench.mjs';

/** The largest ratio allowed, by the name of what is measured. */
const BOUNDS = {
  '--version': 1.25,
  'subscriptions --help': 1.6,
  'a write with --dry-run': 2.6,
  'customers get, loopback': 3.3,
  'products list, sandbox': 7,
  'export jsonl': 1.7,
  'export csv': 2.5,
  'export sqlite': 5.5,
  'export parquet': 4,
  'bulk, processor time': 1.8,
};
const ITEMS = 30_000;
const TURNS = 3;

export default async function guard() {
  const formats = Object.keys(BOUNDS).flatMap((name) => /^export (\w+)$/.exec(name)?.[1] ?? []);
  const rows = [
    ...(await startupRatios(Object.keys(BOUNDS), 15)).map(({ name, fastest }) => ({ name, ratio: fastest })),
    ...(await exportRatios(formats, ITEMS, TURNS)),
    // A run waits for the disk, whose other users decide its time by the clock.
    { name: 'bulk, processor time', ratio: (await bulkRatios(5000, TURNS)).cpu },
  ];
  for (const { name, ratio } of rows) {
    const isKept = ratio <= BOUNDS[name];
    console.log(
      `${name.padEnd(36)} ${ratio.toFixed(2).padStart(5)}  at most ${BOUNDS[name]}  ${isKept ? 'kept' : 'ABOVE'}`,
    );
    if (!isKept) process.exitCode = 1;
  }
  const measured = new Set(rows.map(({ name }) => name));
  const missing = Object.keys(BOUNDS).filter((name) => !measured.has(name));
  if (missing.length > 0) throw new Error(`Nothing measures ${missing.join(', ')}.`);
}
