import { describe, expect, it } from 'vitest';
import { CopsError } from '../../../src/base/errors/errors.js';
import { NumberText } from '../../../src/items/json/tree.js';
import { buildQuery, chooseKey, type PlanInput, planRequest } from '../../../src/service/request/request-plan.js';
import { create, edit, family, ID, ID2, operation } from './entries.js';

const things = family('things', [create, edit]);
const get = operation({ action: 'get', method: 'GET', path: '/things/{thing_id}', risk: 'read' });
const pair = operation({ action: 'set', path: '/things/{thing_id}/parts/{part_id}/set' });
const key = operation({ action: 'get', method: 'GET', path: '/key_values/{key}', params: { key: 'key' } });
const table = operation({ action: 'get', method: 'GET', path: '/tables/{t}', params: { t: 'table' } });
const estimate = operation({ action: 'estimate', path: '/sales/estimate', risk: 'read' });
const KEY = 'b5c1a7e0-0000-4000-8000-000000000000';

function faultsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(CopsError);
    expect((error as CopsError).exitCode).toBe(2);
    return ((error as CopsError).facts.faults ?? []).map((fault) => `${fault.path}: ${fault.message}`);
  }
  return [];
}

describe('planRequest', () => {
  it('plans a read without a body', () => {
    expect(
      planRequest(things, get, {
        ids: [ID],
        query: [
          ['a', '1'],
          ['a', '2'],
        ],
      }),
    ).toEqual({
      method: 'GET',
      path: `/things/${ID}`,
      query: [
        ['a', '1'],
        ['a', '2'],
      ],
    });
  });

  it.each<[PlanInput['body'], string | null | undefined, string]>([
    [undefined, KEY, `{"idempotency_key":"${KEY}"}`],
    [{ amount: new NumberText('10.00') }, KEY, `{"amount":10.00,"idempotency_key":"${KEY}"}`],
    [{ idempotency_key: '0123456789' }, undefined, '{"idempotency_key":"0123456789"}'],
    [undefined, null, '{}'],
    [{ a: undefined, b: 1 }, null, '{"b":1}'],
  ])('writes body %j with key %j', (body, idempotencyKey, expected) => {
    const input = { ids: [ID], body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
    expect(planRequest(things, edit, input).body).toBe(expected);
  });

  it('sends no key with what only computes', () => {
    expect(planRequest(things, estimate, { ids: [], idempotencyKey: KEY }).body).toBe('{}');
  });

  it('encodes what stands in the path', () => {
    expect(planRequest(things, get, { ids: ['a?b#c%d&e=f+g:h@i!jk'] }).path).toBe(
      '/things/a%3Fb%23c%25d%26e%3Df%2Bg%3Ah%40i!jk',
    );
  });

  it.each([
    [pair, ['short', `${ID2.slice(1)}/`], 2],
    [pair, [ID], 1],
    [get, [ID, ID2], 1],
    [get, ['../../../../../../..'], 1],
    [get, [`${ID.slice(2)}é1`], 1],
    [get, ['\ud800'.repeat(20)], 1],
    [get, [''], 1],
    [key, ['a'], 1],
    [key, ['a__b'], 1],
    [key, ['a1'], 1],
    [key, ['_ab'], 1],
    [key, ['a'.repeat(101)], 1],
    [key, [`${'a'.repeat(99)}!`], 1],
    [table, ['..'], 1],
    [table, ['a/b'], 1],
  ] as const)('refuses ids of %s', (entry, ids, count) => {
    expect(faultsOf(() => planRequest(things, entry, { ids }))).toHaveLength(count);
  });

  it('takes keys and table names', () => {
    expect(planRequest(things, key, { ids: ['Tax_rate'] }).path).toBe('/key_values/Tax_rate');
    expect(planRequest(things, table, { ids: ['user.sale'] }).path).toBe('/tables/user.sale');
  });

  it('holds keys to their length, longer for a new assistant', () => {
    const assistant = { ...create, keyMinLength: 11 };
    const lengthFaults = (entry: typeof create, length: number): string[] =>
      faultsOf(() => planRequest(things, entry, { ids: [], idempotencyKey: 'k'.repeat(length) }));
    expect([9, 10, 255, 256].map((length) => lengthFaults(create, length).length)).toEqual([1, 0, 0, 1]);
    expect([10, 11, 255, 256].map((length) => lengthFaults(assistant, length).length)).toEqual([1, 0, 0, 1]);
  });

  it('refuses a body for a read, and two keys', () => {
    expect(faultsOf(() => planRequest(things, get, { ids: [ID], body: { a: 1 } }))).toHaveLength(1);
    expect(
      faultsOf(() =>
        planRequest(things, create, { ids: [], body: { idempotency_key: 'x'.repeat(12) }, idempotencyKey: KEY }),
      ),
    ).toHaveLength(1);
  });
});

describe('chooseKey', () => {
  const mint = (): string => 'minted';
  it.each([
    [create, { setting: 'auto' }, 'minted', false],
    [create, { setting: 'never' }, null, false],
    [create, { setting: 'auto', flag: null }, null, false],
    [create, { setting: 'never', flag: 'mine' }, 'mine', true],
    [create, { setting: 'auto', ownKey: 'body' }, 'body', true],
    [create, { setting: 'never', ownKey: 'body' }, 'body', true],
    [estimate, { setting: 'always' }, null, false],
    [get, { setting: 'always' }, null, false],
  ] as const)('%s', (entry, given, expected, own) => {
    expect(chooseKey(entry, given, mint)).toEqual({ key: expected, own });
  });

  it('refuses contradictions', () => {
    expect(() => chooseKey(create, { setting: 'auto', flag: 'a', ownKey: 'b' }, mint)).toThrow(CopsError);
    expect(() => chooseKey(create, { setting: 'auto', flag: null, ownKey: 'b' }, mint)).toThrow(CopsError);
  });
});

describe('buildQuery', () => {
  const list = operation({
    action: 'list',
    method: 'GET',
    risk: 'read',
    query: {
      campaign_filter: { type: 'string', many: true, format: 'id' },
      currency_filter: { type: 'string', many: true, format: 'currency' },
      status_filter: { type: 'string', many: true, enum: ['read', 'unread'] },
      metadata_filter: { type: 'string', many: true, metadata: true },
      customer_id: { type: 'string', format: 'id' },
    },
  });

  it('repeats parameters in the order of the catalogue', () => {
    const query = buildQuery(list, {
      metadata: ['a=b=c', 'plain', '{"name":"x=y","value":"z"}'],
      customer: ID,
      campaign_filter: [ID, ID2],
      status: 'read',
    });
    expect(query).toEqual([
      ['campaign_filter', ID],
      ['campaign_filter', ID2],
      ['status_filter', 'read'],
      ['metadata_filter', '{"name":"a","value":"b=c"}'],
      ['metadata_filter', '{"name":"plain","value":"METADATA_NAME_EXISTS"}'],
      ['metadata_filter', '{"name":"x=y","value":"z"}'],
      ['customer_id', ID],
    ]);
  });

  it.each([
    [{ campaign: ['x', 'y'] }, 2],
    [{ currency: 'usd' }, 1],
    [{ currency: 'XQQ' }, 1],
    [{ status: ['gone', 'read'] }, 1],
    [{ customer: [ID, ID2] }, 1],
    [{ customer: '' }, 1],
    [{ metadata: ['=v', 'n=', `${'n'.repeat(101)}=v`, `n=${'v'.repeat(256)}`, '{"name":1}', '{'] }, 6],
    [{ nothing: 'x' }, 1],
  ])('refuses %j', (values, count) => {
    expect(faultsOf(() => buildQuery(list, values))).toHaveLength(count);
  });

  it('asks for what is required', () => {
    const search = operation({
      action: 'search',
      method: 'GET',
      query: { search_term: { type: 'string', required: true, positional: true } },
    });
    expect(faultsOf(() => buildQuery(search, {}))).toEqual(['search_term: is required']);
    expect(buildQuery(search, { search_term: 'a b' })).toEqual([['search_term', 'a b']]);
  });
});
