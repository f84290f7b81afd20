/** @module-tag thorough */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventReceiver, isVerified } from '../fixtures/event-receiver.js';
import { realClock } from '../harness/clock.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { home as emptyHome, errorOf, json } from './helpers.js';
import type { Home } from './program.js';

/* cops events resend of a range, listeners that end by themselves, a secret that somebody brings, and verify. */

const SECRET = `whsec_${Buffer.from('a secret of somebody else, 32 by').toString('base64')}`;

async function home(): Promise<Home> {
  const made = emptyHome({ COPS_PROFILE: 'sandbox', HOOK_SECRET: SECRET });
  await laySandbox(made.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
  for (let n = 0; n < 6; n++)
    expect((await made.run(['sandbox', 'trigger', 'sale.created.success.paid'])).code).toBe(0);
  return made;
}

const rows = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

const posting = (count: number, url: string): string =>
  `Posting ${count} events, also those that ${url} has accepted before: each keeps its webhook-id, by which a receiver leaves out what it has.\n`;

describe('cops events resend --last', () => {
  it('posts all events of the range, one after the other in the order of time', async () => {
    const made = await home();
    const listed = rows((await made.run(['events', 'list', '--last', '30d', '-o', 'jsonl'])).stdout);
    expect(listed.length).toBeGreaterThan(12);
    const receiver = await eventReceiver();
    const words = ['events', 'resend', '--last', '30d', '--to', receiver.url, '--secret', 'env:HOOK_SECRET'];
    const ran = await made.run([...words, '-o', 'jsonl'], { clock: realClock });
    expect([ran.code, ran.stderr]).toEqual([0, posting(listed.length, receiver.url)]);
    const times = receiver.got.map(({ body }) => JSON.parse(body).timestamp);
    expect(times).toEqual([...times].sort());
    expect(receiver.got.map(({ id }) => id).sort()).toEqual(listed.map(({ id }) => id).sort());
    expect(receiver.got.every((one) => isVerified(one, SECRET))).toBe(true);
    expect(rows(ran.stdout)).toHaveLength(listed.length);
  });

  it('counts for no limit on writes, and makes no mirror old', async () => {
    const made = await home();
    const receiver = await eventReceiver();
    for (const limit of [
      ['--most-a-day', '5000 USD'],
      ['--writes-an-hour', '1'],
    ])
      expect((await made.run(['policy', 'add', ...limit, '--name', String(limit[0]).slice(2), '--yes'])).code).toBe(0);
    const count = ['sql', 'select count(*) as n from customers'];
    expect((await made.run(count)).stderr).toContain('Brought up to date');
    const words = ['events', 'resend', '--last', '30d', '--to', receiver.url];
    expect((await made.run(words, { clock: realClock })).code).toBe(0);
    const old = await made.run([...count, '--no-sync']);
    expect(old.stderr).not.toContain('before the last write');
    const [paid] = rows(
      (await made.run(['transactions', 'list', '--where', 'status=approved', '--limit', '1', '-o', 'jsonl'])).stdout,
    );
    const ran = await made.run(['transactions', 'refund', paid.id, '--amount', '0.01', '--yes']);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('Accepted')]);
  });

  it('posts the newest of the range with --limit, oldest first, and listen says that it takes the oldest', async () => {
    const made = await home();
    const listed = rows((await made.run(['events', 'list', '--last', '30d', '-o', 'jsonl'])).stdout);
    const newest = listed.slice(-3).map(({ id }) => id);
    const range = ['--from', '30d', '--limit', '3'];
    expect(rows((await made.run(['events', 'list', ...range, '-o', 'jsonl'])).stdout).map(({ id }) => id)).toEqual(
      newest,
    );
    const receiver = await eventReceiver();
    const ran = await made.run(['events', 'resend', ...range, '--to', receiver.url], { clock: realClock });
    expect([ran.code, receiver.got.map(({ id }) => id)]).toEqual([0, newest]);
    const heard = await made.run(['events', 'listen', ...range, '-o', 'jsonl']);
    expect(rows(heard.stdout).map(({ id }) => id)).toEqual(listed.slice(0, 3).map(({ id }) => id));
    expect(heard.stderr).toContain('--limit takes the oldest 3. The newest: cops events list --from 30d --limit 3');
    expect((await made.run(['events', 'resend', newest[0], '--limit', '3', '--to', receiver.url])).code).toBe(2);
    const none = ['events', 'list', '--notation', 'chargeback', '--last'];
    expect((await made.run([...none, '400d'])).stderr).toBe('No event within 400d.\n');
    expect((await made.run([...none, '2d'])).stderr).toBe('No event within 2d; --last 30d looks further back.\n');
  });

  it('ends a range at --until, in the list and in what is posted', async () => {
    const made = await home();
    const listed = rows((await made.run(['events', 'list', '--last', '30d', '-o', 'jsonl'])).stdout);
    const last = Math.max(...listed.map(({ timestamp }) => Date.parse(timestamp)));
    const first = Math.min(...listed.map(({ timestamp }) => Date.parse(timestamp)));
    const receiver = await eventReceiver();
    for (const [until, count] of [
      [first - 1000, 0],
      [last, listed.length],
    ] as const) {
      const range = ['--from', '40d', '--until', new Date(until).toISOString(), '-o', 'jsonl'];
      expect(rows((await made.run(['events', 'list', ...range])).stdout)).toHaveLength(count);
      const ran = await made.run(['events', 'resend', ...range, '--to', receiver.url], { clock: realClock });
      expect([ran.code, receiver.got.length]).toEqual([0, count]);
      expect(ran.stderr).toBe(
        count === 0 ? 'No event in that range: nothing was posted.\n' : posting(count, receiver.url),
      );
    }
    for (const words of [['list'], ['resend', '--to', receiver.url]])
      expect((await made.run(['events', ...words, '--until', 'now'])).code).toBe(2);
  });

  it('takes --forward-to, and names the end of a range that was given as --to', async () => {
    const made = await home();
    const receiver = await eventReceiver();
    const range = ['events', 'resend', '--from', '40d', '--to', '39d', '--live'];
    const ran = await made.run([...range, '--forward-to', receiver.url]);
    const line = `cops events resend --from 40d --until 39d --live --to ${receiver.url}`;
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(line)]);
    expect((await made.run(range)).stderr).toContain('--until 39d --live --to <url>');
    const words = ['events', 'resend', '--from', '40d', '--until', '39d', '--forward-to', receiver.url, '-o', 'json'];
    const none = await made.run(words, { clock: realClock });
    expect([none.code, none.stdout.trim(), none.stderr]).toEqual([
      0,
      '[]',
      expect.stringContaining('No event in that'),
    ]);
  });

  it('is told of no delivery by whether anybody listens', async () => {
    const made = await home();
    const ran = await made.run(['events', 'list', '--failed', '-o', 'json']);
    expect([ran.stdout.trim(), ran.stderr]).toEqual(['[]', expect.stringContaining('There is no listener')]);
  });

  it('ends with 10 where some are not taken, and takes an id or a range, not both', async () => {
    const made = await home();
    const receiver = await eventReceiver(({ id }) => (id === first ? 500 : 204));
    const [{ id: first }] = rows((await made.run(['events', 'list', '--last', '30d', '-o', 'jsonl'])).stdout);
    const ran = await made.run(['events', 'resend', '--from', '30d', '--to', receiver.url, '-o', 'json'], {
      clock: realClock,
    });
    expect(ran.code).toBe(10);
    expect(errorOf(ran).message).toMatch(/accepted \d+ of \d+ events/);
    expect(ran.stderr).toMatch(/Posting \d+ events, also those that .* has accepted before/);
    for (const words of [[], [first, '--last', '1d']])
      expect((await made.run(['events', 'resend', ...words, '--to', receiver.url])).code).toBe(2);
  });
});

describe('a listener that ends automatically', () => {
  it('ends after that many events, and continues after them the next time', async () => {
    const made = await home();
    const words = ['events', 'listen', '--from', '30d', '--limit', '3', '-o', 'jsonl'];
    const first = await made.run(words, { clock: realClock });
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/starts with the events since 20\d\d-\d\d-\d\dT/);
    const second = await made.run(words, { clock: realClock });
    const ids = [...rows(first.stdout), ...rows(second.stdout)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
  });

  it('after a time, and signs with the secret that it was given', async () => {
    const made = await home();
    const receiver = await eventReceiver();
    const words = ['events', 'listen', '--from', '30d', '--forward-to', receiver.url, '--secret', 'env:HOOK_SECRET'];
    const limited = await made.run([...words, '--limit', '12', '-o', 'jsonl'], { clock: realClock });
    expect([limited.code, receiver.got.length, rows(limited.stdout).length]).toEqual([0, 12, 12]);
    expect(receiver.got.every((one) => isVerified(one, SECRET))).toBe(true);
    const timed = await made.run([...words, '--for', '2s', '-o', 'jsonl'], { clock: realClock });
    expect(timed.code).toBe(0);
    expect(receiver.got.length).toBeGreaterThan(12);
  });

  it('refuses a secret that no verifier would take, without showing it', async () => {
    const made = await home();
    const words = ['events', 'listen', '--forward-to', 'http://127.0.0.1:9/', '--secret', 'env:HOOK_SECRET'];
    const ran = await made.run([...words, '--for', '1s'], { env: { HOOK_SECRET: 'not-base64!' }, clock: realClock });
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('not-base64!');
    const left = await made.run(['events', 'forward', 'status', '-o', 'json'], { clock: realClock });
    expect(left.stdout.trim()).toBe('[]');
  });
});

describe('cops events verify', () => {
  it('tells a correctly signed post from a wrong one', async () => {
    const made = await home();
    const receiver = await eventReceiver();
    const words = ['--to', receiver.url, '--secret', 'env:HOOK_SECRET'];
    await made.run(['events', 'resend', '--last', '30d', ...words], { clock: realClock });
    const [{ body, headers }] = receiver.got as [(typeof receiver.got)[number]];
    const file = path.join(made.folder, 'body.json');
    const verify = (content: string) => {
      writeFileSync(file, content);
      const ids = ['--id', headers['webhook-id'] ?? '', '--timestamp', headers['webhook-timestamp'] ?? ''];
      const signature = ['--signature', headers['webhook-signature'] ?? '', '--secret', 'env:HOOK_SECRET'];
      return made.run(['events', 'verify', file, ...ids, ...signature, '-o', 'json'], { clock: realClock });
    };
    expect(json(await verify(body))).toMatchObject({ verified: true });
    const changed = await verify(`${body} `);
    expect([changed.code, errorOf(changed).message]).toEqual([13, expect.stringContaining('does not match this body')]);
    expect((await made.run(['events', 'verify', file])).code).toBe(2);
    rmSync(file);
    const absent = await made.run([
      'events',
      'verify',
      file,
      '--id',
      'a',
      '--timestamp',
      '1',
      '--signature',
      'v1,x',
      '--secret',
      'env:HOOK_SECRET',
      '-o',
      'json',
    ]);
    expect([absent.code, errorOf(absent).message]).toEqual([11, expect.stringContaining('cannot be read')]);
  });
});
