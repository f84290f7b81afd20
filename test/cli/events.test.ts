/** @module-tag thorough */
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Answering, type EventReceiver, eventReceiver, isVerified } from '../fixtures/event-receiver.js';
import { realClock } from '../harness/clock.js';
import { closeAfterTest } from '../harness/closing.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { home as emptyHome, errorOf } from './helpers.js';
import type { Home } from './program.js';

/* cops events: what happens in the account, listened to, forwarded as signed webhooks, sent again. */

async function home(): Promise<Home> {
  const made = emptyHome({ COPS_PROFILE: 'sandbox' });
  await laySandbox(made.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
  return made;
}

const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function raise(made: Home, event = 'customer.created', ...options: string[]): Promise<string[]> {
  const ran = await made.run(['sandbox', 'trigger', event, ...options, '-o', 'ids']);
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout.trim().split('\n');
}

async function secretOf(made: Home, url: string): Promise<string> {
  const ran = await made.run(['events', 'secret', 'show', '--forward-to', url, '-o', 'json']);
  return JSON.parse(ran.stdout).secret;
}

/** Forwards until so many posts came, or something else has come about, and is stopped then. */
async function forward(made: Home, to: EventReceiver, until: number | Promise<void>, ...options: string[]) {
  const listening = made.start(
    ['events', 'listen', '--forward-to', to.url, '--from', '1h', '-o', 'jsonl', ...options],
    {
      clock: realClock,
    },
  );
  const had = to.got.length;
  await (typeof until === 'number' ? to.came(until) : until);
  await expect
    .poll(() => rows(listening.stdout()).length)
    .toBeGreaterThanOrEqual(typeof until === 'number' ? until - had : 1);
  listening.signal('SIGINT');
  return listening.ended;
}

describe('cops events list and get', () => {
  it('show the events of the mode in use as they are posted', async () => {
    const made = await home();
    const ids = await raise(made);
    const listed = await made.run(['events', 'list', '-o', 'jsonl']);
    expect(rows(listed.stdout).map(({ id }) => id)).toEqual(ids);
    const got = await made.run(['events', 'get', ids[0] ?? '', '-o', 'jsonl']);
    expect(got.stdout).toBe(`${listed.stdout.split('\n')[0]}\n`);
    expect(rows(got.stdout)).toMatchObject([
      { type: 'customer.created', data: { family: 'customers', mode: 'test', derived: false } },
    ]);
    const live = await made.run(['events', 'get', ids[0] ?? '', '--live', '-o', 'json']);
    expect(live.code).toBe(4);
  });
});

describe('cops events listen', () => {
  it('shows what happens, and continues after it the next time', async () => {
    const made = await home();
    const first = made.start(['events', 'listen', '-o', 'jsonl'], { clock: realClock });
    await expect.poll(() => first.stderr()).toContain('begins now');
    const ids = await raise(made);
    await expect.poll(() => rows(first.stdout()).map(({ id }) => id)).toEqual(ids);
    first.signal('SIGINT');
    expect((await first.ended).code).toBe(130);
    const more = await raise(made);
    const second = made.start(['events', 'listen', '-o', 'jsonl'], { clock: realClock });
    await expect.poll(() => rows(second.stdout()).map(({ id }) => id)).toEqual(more);
    second.signal('SIGINT');
    await second.ended;
  });

  it('lets one process at a time have a name', async () => {
    const made = await home();
    const first = made.start(['events', 'listen'], { clock: realClock });
    await expect.poll(() => first.stderr()).toContain('begins now');
    const second = await made.run(['events', 'listen', '-o', 'json'], { clock: realClock });
    expect(second.code).toBe(11);
    const other = made.start(['events', 'listen', '--as', 'other'], { clock: realClock });
    await expect.poll(() => other.stderr()).toContain('other begins now');
    for (const one of [first, other]) one.signal('SIGTERM');
    expect((await other.ended).code).toBe(143);
    await first.ended;
  });

  it('refuses receivers that are neither https nor this machine, and events that do not exist', async () => {
    const made = await home();
    for (const url of ['http://example.com/x', 'ftp://localhost/', 'https://a:b@example.com/', 'localhost:3000']) {
      const ran = await made.run(['events', 'listen', '--forward-to', url, '-o', 'json']);
      expect(ran.code, url).toBe(2);
    }
    for (const url of ['https://a:hunter2@example.com/', 'http:/a:hunter2@x', 'http://example.com/?token=hunter2']) {
      const said = await made.run(['events', 'listen', '--forward-to', url]);
      expect(said, url).toMatchObject({ code: 2, stderr: expect.not.stringContaining('hunter2') });
    }
    const ran = await made.run(['events', 'listen', '--notation', 'sale.creatd', '-o', 'json']);
    expect(ran.code).toBe(2);
    expect(errorOf(ran).message).toContain('sale.creatd');
  });

  it('prints the schema of what is posted', async () => {
    const ran = await (await home()).run(['events', 'listen', '--schema', '-o', 'json']);
    expect(JSON.parse(ran.stdout).required).toEqual(['id', 'type', 'timestamp', 'data']);
  });
});

describe('cops events listen --forward-to', () => {
  it('posts each event once, signed so that another verifier takes it, in the order of its item', async () => {
    const made = await home();
    const ids = await raise(made, 'sale.created.success.paid');
    const receiver = await eventReceiver();
    const ran = await forward(made, receiver, ids.length);
    expect(ran.code).toBe(130);
    const secret = await secretOf(made, receiver.url);
    expect(receiver.got.every((one) => isVerified(one, secret))).toBe(true);
    expect(receiver.got.every(({ headers, id }) => headers['webhook-id'] === id)).toBe(true);
    expect(receiver.got.some((one) => 'x-api-key' in one.headers)).toBe(false);
    expect(receiver.got.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const listed = rows((await made.run(['events', 'list', '-o', 'jsonl'])).stdout);
    for (const { data } of listed) {
      const own = (all: readonly { id: string }[]) => all.map(({ id }) => id);
      expect(own(receiver.got.filter(({ itemId }) => itemId === data.item_id))).toEqual(
        own(listed.filter((one) => one.data.item_id === data.item_id)),
      );
    }
    const status = JSON.parse((await made.run(['events', 'forward', 'status', '-o', 'json'])).stdout);
    expect(status).toMatchObject([{ name: 'default', state: 'stopped', delivered: ids.length, waiting: 0, failed: 0 }]);
  });

  it('takes only the notations that are wanted', async () => {
    const made = await home();
    await raise(made, 'sale.created.success.paid');
    const receiver = await eventReceiver();
    await forward(made, receiver, 3, '--notation', 'sale');
    expect(receiver.got.map(({ type }) => type)).toEqual([
      'sale.created',
      'sale.created.success',
      'sale.created.success.paid',
    ]);
  });

  /** Writes the beginning of an answer, and a little more again and again. */
  const drip = ({ socket }: Parameters<Answering>[1], beginning: string): undefined => {
    socket?.write(`HTTP/1.1 200 OK\r\n${beginning}`);
    const timer = setInterval(() => socket?.write('x'), 20);
    socket?.on('close', () => clearInterval(timer));
  };
  const hostile: readonly (readonly [string, Answering])[] = [
    ['answers 400', () => 400],
    ['answers 500', () => 500],
    ['redirects', (_got, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['cuts the connection', (_got, response) => void response.destroy()],
    [
      'cuts in the middle of its answer',
      (_got, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half');
        setTimeout(() => response.destroy(), 20);
        return undefined;
      },
    ],
    ['never answers', () => undefined],
    ['drips its answer without end', (_got, response) => drip(response, 'content-length: 1000000\r\n\r\n')],
    ['drips its headers without end', (_got, response) => drip(response, 'x-endless: ')],
  ];
  it.each(hostile)('continues with all other items if a receiver %s for one', async (_what, answer) => {
    const made = await home();
    const [bad = ''] = await raise(made);
    const itemId = rows((await made.run(['events', 'get', bad, '-o', 'jsonl'])).stdout)[0].data.item_id;
    const good: string[] = [];
    for (let time = 0; time < 3; time++) good.push(...(await raise(made)));
    const receiver = await eventReceiver((got, response) => (got.itemId === itemId ? answer(got, response) : 204));
    const arrived = () => receiver.got.filter((one) => one.itemId !== itemId).map(({ id }) => id);
    const all = new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (arrived().length < good.length || !receiver.got.some((one) => one.itemId === itemId)) return;
        clearInterval(look);
        resolve();
      }, 20);
    });
    await forward(made, receiver, all);
    expect(arrived().sort()).toEqual([...good].sort());
    const waiting = rows((await made.run(['events', 'list', '--waiting', '-o', 'jsonl'])).stdout);
    expect(waiting.map(({ id }) => id)).toContain(bad);
  });

  it('reads no more of an answer than it needs', async () => {
    const made = await home();
    const ids = await raise(made);
    let written = 0;
    const receiver = await eventReceiver((_got, response) => {
      response.writeHead(200);
      const flood = (): void => {
        while (!response.destroyed && written < 1e9) {
          written += 1e6;
          if (!response.write(Buffer.alloc(1e6))) return void response.once('drain', flood);
        }
      };
      flood();
      return undefined;
    });
    await forward(made, receiver, ids.length);
    expect(written).toBeLessThan(ids.length * 50e6);
  });

  it('retries with the same id and a new signature for its time, in the order of the item', async () => {
    const made = await home();
    const ids = await raise(made);
    const receiver = await eventReceiver(({ time }) => (time < 3 ? 503 : 200));
    await forward(made, receiver, ids.length * 3);
    const secret = await secretOf(made, receiver.url);
    const [first, , third] = receiver.got;
    expect(third?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(third?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(receiver.got.every((one) => isVerified(one, secret))).toBe(true);
  });

  it('sets aside what is given up, says so of later events, and sends it again when asked', async () => {
    const made = await home();
    const [bad = ''] = await raise(made);
    const item = rows((await made.run(['events', 'get', bad, '-o', 'jsonl'])).stdout)[0].data.item_id;
    const receiver = await eventReceiver(({ id }) => (id === bad ? 400 : 200));
    const listening = made.start([
      'events',
      'listen',
      '--forward-to',
      receiver.url,
      '--from',
      '1h',
      '--give-up',
      '1m',
      '-o',
      'jsonl',
    ]);
    await expect.poll(() => listening.stdout()).toContain('"failed"');
    await raise(made, 'customer.updated', '--item', item);
    await expect.poll(() => receiver.got.filter(({ id }) => id !== bad).length).toBeGreaterThan(0);
    listening.signal('SIGINT');
    await listening.ended;
    const later = receiver.got.find(({ id }) => id !== bad);
    expect(JSON.parse(later?.body ?? '').data.after_failed).toBe(true);
    const failed = JSON.parse((await made.run(['events', 'list', '--failed', '-o', 'json'])).stdout);
    expect(failed).toMatchObject([{ id: bad, listener: 'default', status: 400 }]);
    const refused = await made.run(['events', 'resend', bad, '-o', 'json']);
    expect(refused.code).toBe(1);
    receiver.answer = () => 200;
    const sent = await made.run(['events', 'resend', bad, '-o', 'json'], { clock: realClock });
    const history = JSON.parse((await made.run(['history', 'list', '-o', 'json'])).stdout) as object[];
    expect(history.slice(0, 2)).toMatchObject(
      ['done', 'refused'].map((outcome) => ({ operation: 'events resend', ids: [bad], outcome })),
    );
    expect(sent.code, sent.stderr).toBe(0);
    expect(isVerified(receiver.got.at(-1) as never, await secretOf(made, receiver.url))).toBe(true);
    expect(JSON.parse((await made.run(['events', 'list', '--failed', '-o', 'json'])).stdout)).toEqual([]);
  });

  it('ends for good with 410, and continues at another receiver', async () => {
    const made = await home();
    const ids = await raise(made);
    const receiver = await eventReceiver(() => 410);
    const listen = (url: string) => ['events', 'listen', '--forward-to', url, '--from', '1h', '-o', 'jsonl'];
    const ran = await made.run(listen(receiver.url), { clock: realClock });
    expect(ran.code).toBe(1);
    const again = await made.run(listen(receiver.url), { clock: realClock });
    expect(again.code).toBe(1);
    expect(receiver.got.length).toBeLessThanOrEqual(ids.length);
    const other = await eventReceiver();
    await forward(made, other, ids.length);
    expect(other.got.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it('waits for a receiver that is not there, and delivers once it is', async () => {
    const made = await home();
    const ids = await raise(made);
    const receiver = await eventReceiver();
    const free = createServer();
    const port = await new Promise<number>((resolve) =>
      free.listen(0, '127.0.0.1', () => resolve((free.address() as { port: number }).port)),
    );
    await new Promise((resolve) => free.close(resolve));
    const listening = made.start(
      ['events', 'listen', '--forward-to', `http://127.0.0.1:${port}/`, '--from', '1h', '-o', 'jsonl'],
      {
        clock: realClock,
      },
    );
    await expect.poll(() => rows(listening.stdout()).length).toBeGreaterThan(1);
    const { Agent, createServer: http, request } = await import('node:http');
    const proxy = http((from, to) => {
      const through = request(receiver.url, { method: 'POST', headers: from.headers, agent: new Agent() }, (reply) => {
        to.writeHead(reply.statusCode ?? 500);
        reply.pipe(to);
      });
      from.pipe(through);
    });
    closeAfterTest({ close: () => proxy.close() });
    await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
    await receiver.came(ids.length);
    listening.signal('SIGINT');
    await listening.ended;
    proxy.closeAllConnections();
  });

  it('starts again if the sandbox was reset', async () => {
    const made = await home();
    await made.run(['sandbox', 'snapshot', 'save', 'before']);
    const receiver = await eventReceiver();
    const first = await raise(made);
    await forward(made, receiver, first.length);
    await made.run(['sandbox', 'snapshot', 'restore', 'before']);
    const second = await raise(made);
    const ran = await forward(made, receiver, first.length + second.length);
    expect(ran.stderr).toContain('recreated or restored');
    expect(receiver.got.map(({ id }) => id)).toEqual([...first, ...second]);
  });
});

describe('cops events secret', () => {
  it('is one for each receiver and mode, and both sign for a time after it is rotated', async () => {
    const made = await home();
    const receiver = await eventReceiver();
    const before = await secretOf(made, receiver.url);
    expect(await secretOf(made, receiver.url)).toBe(before);
    expect(await secretOf(made, `${receiver.url}/other`)).not.toBe(before);
    const rotated = await made.run(['events', 'secret', 'rotate', '--forward-to', receiver.url, '-o', 'json']);
    const { secret } = JSON.parse(rotated.stdout);
    expect(secret).not.toBe(before);
    const [id = ''] = await raise(made);
    await made.run(['events', 'resend', id, '--to', receiver.url], { clock: realClock });
    expect([before, secret].map((one) => isVerified(receiver.got[0] as never, one))).toEqual([true, true]);
    await made.run(['events', 'secret', 'rotate', '--forward-to', receiver.url, '--keep', '0d', '-o', 'json']);
  });

  it('is written nowhere but in the configuration', async () => {
    const made = await home();
    const ran = await made.run([
      'events',
      'secret',
      'show',
      '--forward-to',
      'https://example.com/x',
      '--dry-run',
      '-o',
      'json',
    ]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('would');
  });
});
