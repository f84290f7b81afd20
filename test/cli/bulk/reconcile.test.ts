/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JournalLine } from '../../../src/account/journal/journal-lines.js';
import { sealed, seedOf } from '../../../src/account/journal/seal.js';
import { SANDBOX_TEST_KEY } from '../../../src/sandbox/serve/embedded-keys.js';
import { realClock } from '../../harness/clock.js';
import type { Running } from '../../harness/in-process.js';
import { laySandbox, SOME } from '../../harness/seeded.js';
import { Home } from '../program.js';

/* What `cops bulk reconcile` makes of rows that were lost in every way, against the sandbox served over HTTP. */

const home = new Home({ COPS_API_KEY: SANDBOX_TEST_KEY, COPS_MODE: 'test' });
let port = 0;
let server: Running | undefined;

/** Serves the one database, at the same address each time, in the place of what was served before. */
async function serve(...faults: string[]): Promise<void> {
  await stop();
  const words = ['sandbox', 'serve', '--port', String(port), ...faults.flatMap((fault) => ['--fault', fault])];
  const serving = home.start(words, { clock: realClock, timeoutMs: 900_000 });
  server = serving;
  await vi.waitFor(() => expect(serving.stdout()).toContain('curl'), { timeout: 30_000, interval: 5 });
  const out = serving.stdout();
  for (const fault of faults) expect(out).toContain(`fault     ${fault.split('=')[0]}, `);
  const [url = '', at] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(out) ?? [];
  port = Number(at);
  home.env.COPS_BASE_URL = url;
}

async function stop(): Promise<void> {
  server?.signal('SIGTERM');
  await server?.ended;
  server = undefined;
}

beforeAll(async () => {
  await laySandbox(home.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
  await serve();
});

afterAll(async () => {
  await stop();
  home.remove();
});

/** Ids of items that can be written to. */
async function some(family: string, query: string): Promise<string[]> {
  const range = family === 'campaigns' ? [] : ['--last', '90d'];
  const ran = await home.run([family, 'list', ...range, '--limit', '300', '--query', query, '-o', 'json']);
  expect(ran.code).toBe(0);
  return JSON.parse(ran.stdout) as string[];
}

let runs = 0;

/** Runs rows through a service with a fault, then asks the healthy one what became of them. */
async function lost(fault: string, operation: string[], input: string): Promise<{ proposal: string }[]> {
  const journal = path.join(home.folder, `run-${++runs}.journal`);
  const file = path.join(home.folder, `rows-${runs}.csv`);
  writeFileSync(file, input);
  await serve(fault);
  const args = ['bulk', ...operation, '--input', file, '--journal', journal, '--yes', '--max-retries', '0'];
  const ran = await home.run(args, { timeoutMs: 60_000 });
  expect([fault, ran.code, ran.stderr]).toEqual([fault, 9, expect.stringContaining('cops bulk reconcile')]);
  await serve();
  if (fault.endsWith('before=1')) {
    // Within some minutes a call may still be under way: an hour passes for what never arrived.
    const early = await home.run(['bulk', 'reconcile', journal, '-o', 'json']);
    expect(JSON.parse(early.stdout)).toMatchObject([{ proposal: 'cannot_tell' }, { proposal: 'cannot_tell' }]);
    writeFileSync(journal, anHourOlder(readFileSync(journal, 'utf8')));
  }
  const looked = await home.run(['bulk', 'reconcile', journal, '-o', 'json'], { timeoutMs: 60_000 });
  const found = JSON.parse(looked.stdout) as { proposal: string; evidence: string[] }[];
  const applied = await home.run(['bulk', 'reconcile', journal, '--apply'], { timeoutMs: 60_000 });
  const status = JSON.parse((await home.run(['bulk', 'status', journal, '-o', 'json'])).stdout) as { unknown: number };
  const unknown = found.filter(({ proposal }) => proposal === 'cannot_tell').length;
  expect([applied.code, status.unknown]).toEqual([unknown > 0 ? 9 : 0, unknown]);
  return found;
}

/** A journal with all its times an hour earlier, under seals that hold. */
function anHourOlder(text: string): string {
  let seed = 0;
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const {
        n: _n,
        crc: _crc,
        ...told
      } = JSON.parse(line, (name, value: unknown) =>
        name === 'time' || name === 'created' ? new Date(Date.parse(String(value)) - 3_600_000).toISOString() : value,
      ) as JournalLine & { n?: number; crc?: string };
      const written = sealed(told as JournalLine, index + 1, seed);
      if (told.type === 'header') seed = seedOf(told);
      return `${written}\n`;
    });
  return lines.join('');
}

interface Subject {
  readonly operation: string[];
  /** Two rows of their own for each run. */
  rows(run: number): string;
  /** What the service's own data say of them. */
  truth(run: number): Promise<boolean[]>;
}

async function itemsOf(family: string, ids: readonly string[]): Promise<Record<string, unknown>[]> {
  const ran = await home.run([family, 'get', ...ids, '-o', 'json']);
  expect(ran.code).toBe(0);
  return JSON.parse(ran.stdout) as Record<string, unknown>[];
}

const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  cancel: async () => {
    const ids = await some('subscriptions', "[?status=='active'].id");
    const two = (run: number) => ids.slice(run * 2, run * 2 + 2);
    return {
      operation: ['subscriptions', 'cancel'],
      rows: (run) => `id\n${two(run).join('\n')}\n`,
      truth: async (run) => (await itemsOf('subscriptions', two(run))).map((item) => item.status === 'cancelled'),
    };
  },
  refund: async () => {
    const ids = await some('product-sales', "[?status=='paid' && amount_refunded==`0`].id");
    const two = (run: number) => ids.slice(run * 2, run * 2 + 2);
    return {
      operation: ['product-sales', 'refund'],
      rows: (run) =>
        `id,amount\n${two(run)
          .map((id) => `${id},0.50`)
          .join('\n')}\n`,
      truth: async (run) => (await itemsOf('product-sales', two(run))).map((item) => item.amount_refunded === 0.5),
    };
  },
  create: async () => {
    const [campaign] = await some('campaigns', '[].id');
    const row = (email: string) => `${campaign},A,B,${email}@example.com`;
    return {
      operation: ['customers', 'create'],
      rows: (run) =>
        `campaign,customer.first_name,customer.last_name,customer.email\n${row(`a${run}`)}\n${row(`b${run}`)}\n`,
      truth: async (run) => {
        const made = await some('customers', '[].email');
        return ['a', 'b'].map((name) => made.includes(`${name}${run}@example.com`));
      },
    };
  },
};

/** What is lost, and whether it was done by then; a 500 leaves that open. */
const ALWAYS = ['cut-after=1', 'cut-before=1'];
const OTHERS = ['truncate=1', 'wrong-type=1', '500-after=1', '500=1'];
const LONG = process.env.COPS_LONG === '1';

/** Every subject meets the two plain losses, and each of the others meets one subject; the long run tries them all. */
function faultsOf(subject: number): string[] {
  const count = Object.keys(SUBJECTS).length;
  return [...ALWAYS, ...OTHERS.filter((_, index) => LONG || index % count === subject)];
}

describe.each(Object.keys(SUBJECTS).map((name, index) => [name, index] as const))('%s', (name, index) => {
  it('finds what was done and what was not, and never takes one for the other', { timeout: 240_000 }, async () => {
    await serve();
    const subject = await SUBJECTS[name]?.();
    if (!subject) throw new Error(name);
    for (const fault of faultsOf(index)) {
      const run = runs;
      const found = await lost(fault, subject.operation, subject.rows(run));
      const truth = await subject.truth(run);
      for (const [at, { proposal }] of found.entries()) {
        const right = truth[at] ? ['done'] : ['not_done'];
        // A 500 leaves open what was done, and a run that no call answered proves nothing by a call that is missing.
        if (fault.startsWith('500') || fault === 'cut-before=1') right.push('cannot_tell');
        expect(right, `${fault}: ${JSON.stringify(found)}`).toContain(proposal);
      }
      if (fault === 'cut-after=1') expect(truth).toContain(true);
      if (fault === 'cut-before=1') expect(truth).toEqual([false, false]);
    }
  });
});
