import { describe, expect, it } from 'vitest';
import { CopsError } from '../../../src/base/errors/errors.js';
import { type LookUps, reconcileRows, type UnknownRow } from '../../../src/bulk/reconcile.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const KEY = '11111111-1111-4111-8111-111111111111';
const row: UnknownRow = {
  row: 1,
  line: 1,
  ids: ['sub1'],
  key: KEY,
  tag: 't',
  time: NOW - HOUR,
  section: 0,
  skew: { call: 0, date: 0 },
  credential: 'k',
  neighbours: ['near'],
};

/** A call of the same run, as the log shows it. */
const NEAR = '{"id":"near","method":"retrieve"}';

const record = (key: string, code: number) =>
  JSON.stringify({
    api_call_id: 'own',
    code: 1,
    result: 'success',
    id: 'call1',
    method: 'POST',
    request: `{"idempotency_key":"${key}"}`,
    response: JSON.stringify({ api_call_id: 'call1', code, result: code === 1 ? 'success' : 'error' }),
  });

function lookUps(facts: {
  list?: string[];
  calls?: Record<string, string>;
  item?: string | 'missing';
}): LookUps & { opened: string[]; asked: [number, number][] } {
  const opened: string[] = [];
  const asked: [number, number][] = [];
  return {
    opened,
    asked,
    async *calls(from, to) {
      asked.push([from, to]);
      yield* [NEAR, ...(facts.list ?? [])];
    },
    async call(id) {
      opened.push(id);
      const text = facts.calls?.[id];
      if (text === undefined) throw new Error('not found');
      return text;
    },
    ...(facts.item === undefined
      ? {}
      : { item: async () => (facts.item === 'missing' ? ('missing' as const) : { text: facts.item ?? '' }) }),
  };
}

const judge = async (ups: LookUps, action = 'cancel', of: UnknownRow = row, now = NOW) =>
  (await reconcileRows([of], action, ups, { now, credential: 'k' }))[0];

describe('reconcile', () => {
  it('takes the answer of the call that carried the key', async () => {
    expect(await judge(lookUps({ list: [record(KEY, 1)] }))).toMatchObject({ proposal: 'done', apiCallId: 'call1' });
    expect(await judge(lookUps({ list: [record(KEY, 2)] }))).toMatchObject({ proposal: 'not_done' });
  });

  it('opens calls when the list does not show what was sent, but never reads', async () => {
    const ups = lookUps({
      list: ['{"id":"read1","method":"retrieve"}', '{"id":"call1","method":"cancel"}'],
      calls: { call1: record(KEY, 1) },
    });
    expect(await judge(ups)).toMatchObject({ proposal: 'done' });
    expect(ups.opened).not.toContain('read1');
  });

  it('looks around the time of the row, once for rows that are close', async () => {
    const ups = lookUps({});
    await reconcileRows(
      [row, { ...row, row: 2, time: row.time + 60_000 }, { ...row, row: 3, time: row.time - 10 * HOUR }],
      'cancel',
      ups,
      { now: NOW, credential: 'k' },
    );
    expect(ups.asked).toHaveLength(2);
    for (const [from, to] of ups.asked) expect(to - from).toBeGreaterThan(900);
  });

  it('says not done only when the list is whole, late enough, and the item does not speak against it', async () => {
    expect(await judge(lookUps({}))).toMatchObject({ proposal: 'not_done' });
    expect(await judge(lookUps({}), 'cancel', row, row.time + 60_000)).toMatchObject({ proposal: 'cannot_tell' });
    const { key: _key, ...keyless } = row;
    expect(await judge(lookUps({}), 'refund', keyless)).toMatchObject({ proposal: 'cannot_tell' });
    expect(await judge(lookUps({ item: 'missing' }), 'delete')).toMatchObject({ proposal: 'cannot_tell' });
    const many = Array.from({ length: 501 }, (_, index) => `{"id":"c${index}","method":"cancel"}`);
    const calls = Object.fromEntries(many.map((_, index) => [`c${index}`, '{}']));
    expect(await judge(lookUps({ list: many, calls }))).toMatchObject({ proposal: 'cannot_tell' });
  });

  it('searches by the clock of the service, and proves nothing without knowing it', async () => {
    const ups = lookUps({});
    const hour = { call: 2 * HOUR, date: 2 * HOUR };
    await judge(ups, 'refund', { ...row, skew: hour }, NOW + 2 * HOUR);
    const at = (row.time + 2 * HOUR) / 1000;
    expect(ups.asked[0]?.[0]).toBeLessThan(at);
    expect(ups.asked[0]?.[1]).toBeGreaterThan(at);
    for (const skew of [undefined, {}, { call: 0, date: HOUR }])
      expect(await judge(lookUps({}), 'refund', { ...row, skew })).toMatchObject({ proposal: 'cannot_tell' });
    expect(await judge(lookUps({ item: '{"status":"active"}' }), 'cancel', { ...row, skew: {} })).toMatchObject({
      proposal: 'cannot_tell',
    });
    const [timeless] = await reconcileRows([row], 'refund', lookUps({}), { now: undefined, credential: 'k' });
    expect(timeless?.proposal).toBe('cannot_tell');
  });

  it('takes no silence for a proof with another key, without calls of the run beside it, or if sent again', async () => {
    for (const of of [
      { ...row, credential: 'other' },
      { ...row, neighbours: [] },
      { ...row, neighbours: ['near', 'lacking'] },
      { ...row, resent: true },
    ])
      expect(await judge(lookUps({}), 'refund', of), JSON.stringify(of)).toMatchObject({ proposal: 'cannot_tell' });
    const read = { ...row, ids: ['SUB00000000000000001'], neighbours: [] };
    const reads = lookUps({ list: ['{"id":"r","method":"get","path":"/subscriptions/SUB00000000000000001"}'] });
    expect(await judge(reads, 'refund', read)).toMatchObject({ proposal: 'not_done' });
    const other = lookUps({ item: '{"status":"active"}' });
    expect(await judge(other, 'cancel', { ...row, credential: 'other' })).toMatchObject({ proposal: 'cannot_tell' });
    const declined = lookUps({ list: [record(KEY, 2)] });
    expect(await judge(declined, 'refund', { ...row, resent: true })).toMatchObject({ proposal: 'cannot_tell' });
  });

  it('weighs a refund that the item shows, and a payment that the gateway holds, against "not done"', async () => {
    const refunded = (amount: string) => lookUps({ item: `{"amount_refunded":${amount}}` });
    expect(await judge(refunded('1.25'), 'refund')).toMatchObject({ proposal: 'cannot_tell' });
    expect(await judge(refunded('0.00'), 'refund')).toMatchObject({ proposal: 'not_done' });
    expect(await judge(lookUps({ list: [record(KEY, 4)] }), 'capture')).toMatchObject({ proposal: 'cannot_tell' });
  });

  it('uses the call that the service itself named', async () => {
    const ups = lookUps({ calls: { named: record('other', 1) } });
    expect(await judge(ups, 'cancel', { ...row, apiCallId: 'named' })).toMatchObject({ proposal: 'done' });
  });

  it('never takes the look-up for the call that was looked up', async () => {
    const silent = JSON.stringify({ api_call_id: 'own', code: 1, result: 'success', id: 'call1', request: KEY });
    expect(await judge(lookUps({ list: [silent] }))).toMatchObject({ proposal: 'cannot_tell' });
  });

  it('reads the item: a subscription that is not cancelled was not cancelled, one that is may be by other hands', async () => {
    const active = await judge(lookUps({ item: '{"status":"active"}' }));
    expect(active).toMatchObject({ proposal: 'not_done' });
    const cancelled = await judge(lookUps({ item: '{"status":"cancelled"}' }), 'cancel', row, row.time + 60_000);
    expect(cancelled?.proposal).toBe('cannot_tell');
    expect(cancelled?.evidence.join(' ')).toMatch(/somebody else/);
  });

  it('weighs all calls of a key together: a repeated key says nothing, a success counts in any order', async () => {
    const call = (id: string, answer: object, more: object = {}) =>
      JSON.stringify({
        id,
        raw_request: `{"idempotency_key":"${KEY}"}`,
        raw_response: JSON.stringify(answer),
        ...more,
      });
    const duplicate = call('twice', { api_call_id: 'twice', code: 0, error_code: 'E0583' });
    const success = call('done', { api_call_id: 'done', code: 1, result: 'success' });
    for (const list of [
      [duplicate, success],
      [success, duplicate],
    ]) {
      expect(await judge(lookUps({ list }))).toMatchObject({ proposal: 'done', apiCallId: 'done' });
    }
    const declined = call('no', { api_call_unix: 1, code: 2 });
    expect(await judge(lookUps({ list: [duplicate, declined] }))).toMatchObject({ proposal: 'not_done' });
    expect(await judge(lookUps({ list: [duplicate] }))).toMatchObject({ proposal: 'cannot_tell' });
    const generic = { api_call_id: null, code: 0, error_code: 'E0001' };
    expect(await judge(lookUps({ list: [call('e', generic)] }))).toMatchObject({ proposal: 'cannot_tell' });
    expect(await judge(lookUps({ list: [call('e', generic, { http_status: 500 })] }))).toMatchObject({
      proposal: 'cannot_tell',
    });
    expect(await judge(lookUps({ list: [call('e', generic, { http_status: 400 })] }))).toMatchObject({
      proposal: 'not_done',
    });
  });

  it('takes no request for an answer, and no silence of the records for a proof', async () => {
    const request = JSON.stringify({ idempotency_key: KEY, code: 1, message: 'a code of ours' });
    const unanswered = JSON.stringify({ id: 'c', raw_request: request });
    expect(await judge(lookUps({ list: [unanswered] }))).toMatchObject({ proposal: 'cannot_tell' });
    const keyless = lookUps({ list: ['{"id":"c","method":"cancel"}'], calls: { c: '{"id":"c"}' } });
    expect(await judge(keyless)).toMatchObject({ proposal: 'cannot_tell' });
    const reached = await judge(lookUps({ item: '{"status":"cancelled"}' }));
    expect(reached).toMatchObject({ proposal: 'cannot_tell' });
    const changed = lookUps({});
    const moving: LookUps = {
      ...changed,
      // biome-ignore lint/correctness/useYield: it fails before the first call
      async *calls() {
        throw new CopsError('incomplete', 'it changed while it was read');
      },
    };
    expect(await judge(moving)).toMatchObject({ proposal: 'cannot_tell' });
  });
});
