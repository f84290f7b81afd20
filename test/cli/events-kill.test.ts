/**
 * `events listen --forward-to` killed again and again in front of a bad receiver. `COPS_LONG=1`: 200 kills over 10,000 events.
 * @module-tag process
 */
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/sandbox/serve/injected-faults.js';
import { openSandboxStore } from '../../src/sandbox/store/open-store.js';
import { eventReceiver, isVerified } from '../fixtures/event-receiver.js';
import { laySandbox } from '../harness/seeded.js';
import { home } from './helpers.js';

const LONG = process.env.COPS_LONG === '1';
const EVENTS = LONG ? 10_000 : 600;
const KILLS = LONG ? 200 : 12;
const ITEMS = EVENTS / 5;

it(`every event arrives in order by item over ${KILLS} kills`, { timeout: 3_600_000 }, async () => {
  const made = home({ COPS_PROFILE: 'sandbox' });
  const dataDir = made.env.COPS_DATA_DIR ?? '';
  await laySandbox(dataDir, Date.now(), 20);
  const opened = await openSandboxStore({ dataDir, now: Date.now });
  const unix = Math.floor(Date.now() / 1000);
  const filed: { id: string; itemId: string }[] = [];
  opened.store.transaction(() => {
    for (let at = 0; at < EVENTS; at++) {
      const id = `event${String(at).padStart(15, '0')}`;
      const itemId = `item${String(at % ITEMS).padStart(16, '0')}`;
      const value = { id, created_date_unix: unix, live_mode: false, type: 'account_event', customer_id: null };
      const event = { ...value, notation: 'customer.updated', item_type: 'customer', item_id: itemId };
      opened.store.insert('site_events', event, { live: false });
      filed.push({ id, itemId });
    }
  });
  opened.database.close();

  const random = seededRandom(35);
  let secret = '';
  const unverified: string[] = [];
  const receiver = await eventReceiver((got, response) => {
    // At once: verifiers take no signature of more than five minutes ago.
    if (!isVerified(got, secret)) unverified.push(got.id);
    const luck = random();
    if (luck < 0.03) return 400;
    if (luck < 0.06) return 500;
    if (luck < 0.08) return void response.destroy();
    if (luck < 0.09) return void response.writeHead(302, { location: '/elsewhere' }).end();
    taken.add(got.id);
    // Taken, but not said so: the same event has to come again.
    if (luck < 0.11) return void response.destroy();
    return 200;
  });
  const taken = new Set<string>();
  const shown = await made.run(['events', 'secret', 'show', '--forward-to', receiver.url, '-o', 'json']);
  secret = JSON.parse(shown.stdout).secret;
  const line = ['events', 'listen', '--forward-to', receiver.url, '--from', '1h', '-o', 'jsonl', '-q'];
  for (let kill = 0; kill < KILLS; kill++) {
    const wanted = receiver.got.length + 1 + Math.floor(random() * (EVENTS / KILLS));
    const ran = await made.spawn(line, {
      timeoutMs: 60_000,
      onStart: (child) => {
        const killed = () => child.kill('SIGKILL');
        void Promise.race([receiver.came(wanted), over(receiver.got, taken)]).then(() =>
          setTimeout(killed, random() * 20),
        );
      },
    });
    expect(ran.signal).toBe('SIGKILL');
  }
  const rest = made.spawn(line, {
    timeoutMs: 1_800_000,
    onStart: (child) => void delivered().then(() => child.kill('SIGINT')),
  });
  expect((await rest).code).toBe(130);

  expect(unverified).toEqual([]);
  expect(receiver.got.filter(({ id, headers }) => headers['webhook-id'] !== id)).toEqual([]);
  // The first time that each event of an item came: that order is theirs.
  const firsts = new Map<string, string[]>();
  for (const { id, itemId, time } of receiver.got)
    if (time === 1) firsts.set(itemId, [...(firsts.get(itemId) ?? []), id]);
  const wanted = new Map<string, string[]>();
  for (const { id, itemId } of filed) wanted.set(itemId, [...(wanted.get(itemId) ?? []), id]);
  expect(firsts).toEqual(wanted);
  // No event comes again once a later one of its item came.
  const newest = new Map<string, string>();
  for (const { id, itemId } of receiver.got) {
    expect(id >= (newest.get(itemId) ?? '')).toBe(true);
    newest.set(itemId, id);
  }
  expect(await status()).toMatchObject([{ waiting: 0, failed: 0, delivered: EVENTS }]);
  process.stdout.write(
    `${EVENTS} events, ${KILLS} kills, ${receiver.got.length} posts, ${receiver.got.length - EVENTS} repeats\n`,
  );

  async function status(): Promise<{ waiting: number }[]> {
    return JSON.parse((await made.run(['events', 'forward', 'status', '-o', 'json'])).stdout);
  }

  /** Resolves once nothing waits to be sent again: the answer to a post may have been lost, and its wait is long. */
  async function delivered(): Promise<void> {
    do await over(receiver.got, taken);
    while ((await status()).some(({ waiting }) => waiting > 0));
  }

  /** Resolves once all events were taken and nothing came for a while. */
  async function over(got: readonly unknown[], all: ReadonlySet<string>): Promise<void> {
    for (let before = -1; all.size < EVENTS || got.length !== before; ) {
      before = got.length;
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
  }
});
