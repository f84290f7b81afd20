/** @module-tag process */
/** What ends a run before its rows do, how it goes on, and the exit code of each mixture (command-line.md#exit-codes, command-line.md#bulk). */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { declined, fraud, id, ok, type Reaction, refusal, slow, tooMany } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';

const IDS = [1, 2, 3, 4, 5, 6].map((n) => id(`SUB${n}`));

type Way = 'done' | 'refused' | 'declined' | 'fraud' | 'unknown' | 'limited' | 'key';
const ANSWERS: Readonly<Record<Way, () => Reaction>> = {
  done: () => ok({ result: 'success' }),
  refused: () => refusal(404, 'E0001', 'no such'),
  declined: () => declined(2),
  fraud: () => fraud(),
  unknown: () => ({ status: 500, body: '{"code":0}' }),
  limited: () => tooMany(0),
  key: () => refusal(401, 'E0001', 'the key is disabled'),
};

/** A service that ends the write of each subscription in the way that is told for it, by its place in `IDS`. */
async function setting(ways: readonly Way[], delayMs = 0) {
  const now = { ways };
  const { service, home } = await pair((request) => {
    const at = IDS.indexOf(request.path.split('/')[2] ?? '');
    if (request.method === 'GET') return ok({ id: IDS[at], live_mode: false });
    const reaction = ANSWERS[now.ways[at] ?? 'done']();
    return delayMs > 0 ? slow(reaction as object, delayMs) : reaction;
  });
  const journal = path.join(home.folder, 'j');
  const ids = path.join(home.folder, 'ids.txt');
  writeFileSync(ids, IDS.join('\n'));
  const start = (...more: string[]) =>
    ['bulk', 'subscriptions', 'cancel', '--ids', ids, '--journal', journal, '--concurrency', '1'].concat(more);
  const sent = () =>
    service.requests.filter(({ method }) => method === 'POST').map((one) => IDS.indexOf(one.path.split('/')[2] ?? ''));
  const status = async () => JSON.parse((await home.run(['bulk', 'status', journal, '-o', 'json'])).stdout) as object;
  return { home, journal, start, sent, status, now };
}

describe('--stop-on-fraud', () => {
  it('stops at a fraud decision in the middle; what was not sent stays pending, and resume sends it', async () => {
    const { home, journal, start, sent, status, now } = await setting(['done', 'declined', 'fraud']);
    const ran = await home.run(start('--stop-on-fraud'));
    expect(ran.code).toBe(10);
    expect(ran.stderr).toContain('stopped because fraud was detected');
    expect(ran.stderr).toContain(`Continue with: cops bulk resume ${journal} --stop-on-fraud\n`);
    expect(sent()).toEqual([0, 1, 2]);
    expect(await status()).toMatchObject({
      ...{ done: 1, payment_failed: 1, fraud_detected: 1, not_started: 3, unknown: 0 },
      next: expect.arrayContaining([`cops bulk resume ${journal} --stop-on-fraud`]),
    });
    now.ways = ['done', 'done', 'done'];
    const resumed = await home.run(['bulk', 'resume', journal, '--stop-on-fraud']);
    // The rows that failed stay failed: trying them again is for retry-failed, and fraud for nobody.
    expect(resumed.code).toBe(10);
    expect(resumed.stderr).toContain(`cops bulk retry-failed ${journal}`);
    expect(sent().sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await status()).toMatchObject({ done: 4, payment_failed: 1, fraud_detected: 1, not_started: 0 });
    const nothing = await home.run(['bulk', 'resume', journal]);
    expect([nothing.code, nothing.stderr]).toEqual([10, expect.stringContaining('Nothing is left to send')]);
    expect(sent()).toHaveLength(6);
  });

  it('continues without it; a first row that is fraud, with nothing done, ends with 6', async () => {
    const on = await setting(['done', 'fraud']);
    expect((await on.home.run(on.start())).code).toBe(10);
    expect(on.sent()).toHaveLength(6);
    const first = await setting(['fraud']);
    const ran = await first.home.run(first.start('--stop-on-fraud'));
    expect([ran.code, first.sent()]).toEqual([6, [0]]);
    expect(ran.stderr).toContain(`cops bulk resume ${first.journal}`);
  });
});

/** A process that gets Ctrl-C once so many rows were sent. */
const interrupted = (after: number, sent: () => readonly number[]) => ({
  onStart: (child: ChildProcess) => {
    const timer = setInterval(() => {
      if (sent().length < after) return;
      clearInterval(timer);
      child.kill('SIGINT');
    }, 2);
    child.on('exit', () => clearInterval(timer));
  },
});

describe('the exit code of a run', () => {
  const all = (way: Way) => IDS.map(() => way);
  /** The way of each row, what is added to the command line, after how many requests Ctrl-C comes, the code. */
  const CASES: readonly (readonly [string, readonly Way[], string[], number | undefined, number])[] = [
    ['all done', [], [], undefined, 0],
    ['all refused', all('refused'), [], undefined, 4],
    ['all declined', all('declined'), [], undefined, 5],
    ['all fraud', all('fraud'), [], undefined, 6],
    ['all 429 to the end', all('limited'), ['--max-retries', '0'], undefined, 7],
    ['all unknown', all('unknown'), [], undefined, 9],
    ['refused for two reasons', ['refused', 'declined', ...all('refused')], [], undefined, 10],
    ['some refused', ['refused'], [], undefined, 10],
    ['some unknown, some refused', ['refused', 'unknown'], [], undefined, 9],
    ['too many failures', ['done', 'refused'], ['--max-failures', '1'], undefined, 10],
    ['too many failures, one unknown', ['unknown', 'refused'], ['--max-failures', '2'], undefined, 9],
    ['the key refused at once', ['key'], [], undefined, 3],
    ['the key refused in the middle', ['done', 'key'], [], undefined, 10],
    ['Ctrl-C, all so far done', [], [], 2, 130],
    ['Ctrl-C with the last rows under way', [], [], IDS.length, 0],
    ['Ctrl-C, some refused', ['refused'], [], 2, 10],
    ['Ctrl-C, some unknown', ['unknown'], [], 2, 9],
    ['Ctrl-C, refused and unknown', ['refused', 'unknown'], [], 3, 9],
  ];

  it.each(CASES)('%s', { timeout: 20_000 }, async (_, ways, more, interruptAfter, code) => {
    const { home, journal, start, sent } = await setting(ways, interruptAfter === undefined ? 0 : 150);
    const ran = await home.run(start(...more), interruptAfter === undefined ? {} : interrupted(interruptAfter, sent));
    expect(ran.code, ran.stderr).toBe(code);
    if (interruptAfter !== undefined) expect(sent().length).toBe(interruptAfter);
    if (sent().length < IDS.length && code !== 0) expect(ran.stderr).toContain(`cops bulk resume ${journal}`);
    expect(ran.stderr.includes(`cops bulk reconcile ${journal}`)).toBe(code === 9);
  });

  it('is followed by lines with the limits of the run, the latest that were said', async () => {
    const { home, journal, start } = await setting(['done', 'refused', 'refused'], 0);
    const ran = await home.run(start('--max-failures', '1', '--stop-on-fraud', '--concurrency', '1'));
    const limits = '--stop-on-fraud --max-failures';
    expect(ran.stderr).toContain(`cops bulk resume ${journal} ${limits} 1`);
    const next = async (): Promise<unknown> =>
      (JSON.parse((await home.run(['bulk', 'status', journal, '-o', 'json'])).stdout) as { next: unknown }).next;
    expect(await next()).toEqual([`cops bulk resume ${journal} ${limits} 1`]);
    const resumed = await home.run(['bulk', 'resume', journal, '--max-failures', '1', '--concurrency', '1']);
    expect(resumed.stderr).toContain(`cops bulk resume ${journal} ${limits} 1`);
    await home.run(['bulk', 'resume', journal, '--max-failures', '9', '--concurrency', '1']);
    const status = await home.run(['bulk', 'status', journal, '-o', 'json']);
    expect(status.stdout).not.toContain('cops bulk');
    expect(status.stderr).toContain('The service does not know the ids of the refused rows');
  });
});
