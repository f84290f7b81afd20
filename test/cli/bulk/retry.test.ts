/** `retry-failed`: what the service refused, each as a new intention, asked for plainly; and the report of it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { declined, fraud, id, ok, type Reaction, refusal } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';

const IDS = ['DONE', 'REFUSED', 'DECLINED', 'FRAUD', 'UNKNOWN'].map((name) => id(name));
const [DONE = '', REFUSED = '', DECLINED = '', FRAUD = '', UNKNOWN = ''] = IDS;

/** A run that ended with a row of each outcome; from then on the service does all that it is asked for. */
async function ended(mode: 'test' | 'live' = 'test') {
  const first: Readonly<Record<string, () => Reaction>> = {
    [REFUSED]: () => refusal(404, 'E0001', 'no such'),
    [DECLINED]: () => declined(2),
    [FRAUD]: () => fraud(),
    [UNKNOWN]: () => ({ status: 500, body: '{"code":0}' }),
  };
  let broken = true;
  const { service, home } = await pair((request) => {
    const subscription = request.path.split('/')[2] ?? '';
    if (request.method === 'GET') return ok({ id: subscription, live_mode: mode === 'live' });
    return (broken ? first[subscription]?.() : undefined) ?? ok({ result: 'success' });
  }, mode);
  const [rows, journal] = [path.join(home.folder, 'rows.csv'), path.join(home.folder, 'j')];
  // A blank line, so that rows and lines are numbered apart.
  writeFileSync(rows, `id\n\n${IDS.join('\n')}\n`);
  const begun = ['bulk', 'subscriptions', 'cancel', '--input', rows, '--journal', journal];
  const sent = () =>
    service.requests
      .filter(({ method }) => method === 'POST')
      .map((one) => ({
        id: one.path.split('/')[2],
        key: (one.json as { idempotency_key: string }).idempotency_key,
      }));
  const keysOf = (subscription: string) => sent().flatMap(({ id, key }) => (id === subscription ? [key] : []));
  expect((await home.run([...begun, '--yes', '--expect', '5'])).code).toBe(9);
  broken = false;
  const report = async (format: string) => (await home.run(['bulk', 'report', journal, '-o', format])).stdout;
  return { home, journal, sent, keysOf, report };
}

describe('cops bulk retry-failed', () => {
  it('sends refused and declined rows with new keys, and never those that are done, fraud or unknown', async () => {
    const { home, journal, sent, keysOf } = await ended();
    const ran = await home.run(['bulk', 'retry-failed', journal, '-o', 'json']);
    expect(ran.code).toBe(9);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ...{ rows: 5, done: 3, refused: 0, payment_failed: 0, fraud_detected: 1, unknown: 1 },
    });
    expect(sent()).toHaveLength(7);
    for (const one of [DONE, FRAUD, UNKNOWN]) expect(keysOf(one)).toHaveLength(1);
    for (const one of [REFUSED, DECLINED]) {
      expect(keysOf(one)).toHaveLength(2);
      expect(new Set(keysOf(one)).size).toBe(2);
    }
    const nothing = await home.run(['bulk', 'retry-failed', journal]);
    expect([nothing.code, nothing.stderr]).toEqual([9, expect.stringContaining('No failed row can be tried again')]);
    expect(sent()).toHaveLength(7);
  });

  it('in live mode needs the count of these rows, and sends nothing without it', async () => {
    const { home, journal, sent } = await ended('live');
    for (const more of [[], ['--yes'], ['--expect', '2'], ['--yes', '--expect', '5'], ['--yes', '--expect', '3']]) {
      const ran = await home.run(['bulk', 'retry-failed', journal, ...more]);
      expect([more.join(' '), ran.code]).toEqual([more.join(' '), 12]);
      expect(ran.stderr).toMatch(/--yes --expect 2|there are 2 rows/);
    }
    expect(sent()).toHaveLength(5);
    expect((await home.run(['bulk', 'retry-failed', journal, '--yes', '--expect', '2'])).code).toBe(9);
    expect(sent()).toHaveLength(7);
  });

  it('is reported with the rows and lines of the input, before and after, in csv, json and table', async () => {
    const { home, journal, keysOf, report } = await ended();
    const outcomes = async () =>
      (JSON.parse(await report('json')) as { row: number; line: number; id: string; outcome: string }[]).map(
        ({ row, line, id, outcome }) => [row, line, id, outcome],
      );
    const told = (two: string, three: string) => [
      [1, 3, DONE, 'done'],
      [2, 4, REFUSED, two],
      [3, 5, DECLINED, three],
      [4, 6, FRAUD, 'fraud_detected'],
      [5, 7, UNKNOWN, 'unknown'],
    ];
    expect(await outcomes()).toEqual(told('refused', 'payment_failed'));
    await home.run(['bulk', 'retry-failed', journal]);
    expect(await outcomes()).toEqual(told('done', 'done'));
    const csv = (await report('csv')).trim().split('\n');
    expect(csv[0]).toBe('row,line,id,outcome,http_status,code,error_code,message,api_call_id,key,time');
    expect(csv.slice(1).map((line) => line.split(',').slice(0, 4))).toEqual(
      told('done', 'done').map((row) => row.map(String)),
    );
    // The key is that of the last intention.
    expect(csv[2]).toContain(keysOf(REFUSED)[1]);
    const [head = '', ...lines] = (await report('table')).trim().split('\n');
    expect(head).toMatch(/^ROW +LINE +ID +OUTCOME/);
    expect(lines.map((line) => line.trim().split(/ +/).slice(0, 4))).toEqual(
      told('done', 'done').map((row) => row.map(String)),
    );
  });
});

it('sends what the gateway holds again only with --again', async () => {
  let sent = 0;
  const { home } = await pair((request) => {
    const subscription = request.path.split('/')[2];
    if (request.method === 'GET') return ok({ id: subscription, live_mode: false });
    return ++sent === 1 ? declined(4) : ok({ subscription_id: subscription });
  });
  const journal = path.join(home.folder, 'held.journal');
  const ran = await home.run([
    'subscriptions',
    'renew',
    DONE,
    DECLINED,
    '--yes',
    '--journal',
    journal,
    '--concurrency',
    '1',
  ]);
  expect([ran.code, sent], ran.stderr).toEqual([10, 2]);
  expect(ran.stderr).toContain('1 held by the gateway');
  expect(ran.stderr).toContain(`cops bulk retry-failed ${journal} --again`);
  expect((await home.run(['bulk', 'retry-failed', journal, '--yes'])).stderr).toContain('No failed row');
  expect(sent).toBe(2);
  const again = await home.run(['bulk', 'retry-failed', journal, '--again', '--yes']);
  expect([again.code, sent], again.stderr).toEqual([0, 3]);
});
