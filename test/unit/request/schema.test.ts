import { describe, expect, it } from 'vitest';
import { bodyFaults } from '../../../src/items/checks/body-faults.js';
import { parseJson } from '../../../src/items/json/parse-json.js';
import { serialise, type TreeObject } from '../../../src/items/json/tree.js';
import { create, edit, ID, open, operation } from './entries.js';

const tree = (value: unknown): TreeObject =>
  parseJson(typeof value === 'string' ? value : serialise(value)).value as TreeObject;
const faults = async (body: unknown, entry = create): Promise<string[]> =>
  (await bodyFaults(entry, tree(body))).faults.map((fault) => `${fault.path}: ${fault.message}`);

describe('checkBody', () => {
  it('passes a body that is right', async () => {
    const body = tree(`{"name":"a","code":"","enabled":false,"price":10.00,"count":10,"kind":"two","profile":"${ID}",
      "tags":["a"],"customer":{"email":"a@b.co","country":"USA"},"rates":[{"rate":0.50}],"idempotency_key":"k"}`);
    expect(await bodyFaults(create, body)).toEqual({ faults: [], notes: [] });
  });

  it('names unknown, missing and ill-typed fields all at once, with their paths', async () => {
    const found = await faults(
      '{"nam":"a","code":5,"enabled":"true","price":"10","count":1.5,"kind":"twoo","profile":"x","tags":"a",' +
        '"customer":{"email":"nope","country":"us","zap":1},"rates":[{"rate":1},{"label":null}],"zzz":1}',
    );
    expect(found.sort()).toEqual(
      [
        'name: is required',
        'nam: is not a field; did you mean name?',
        'zzz: is not a field',
        'code: must be text (in quotes), not a number',
        'enabled: must be true or false, not text',
        'price: must be a number, not text',
        'count: must be a whole number',
        'kind: must be one of one, two; did you mean two?',
        'profile: is not an id: 20 characters are expected, these are 1',
        'tags: must be a list, not text',
        'customer.email: is not an e-mail address',
        'customer.country: is not a country by its three letters of ISO 3166-1 (us is USA)',
        'customer.zap: is not a field; did you mean zip?',
        'rates[1].rate: is required',
        'rates[1].label: must be text, not null',
      ].sort(),
    );
  });

  it.each([
    ['{"name":""}', 'name: must not be empty'],
    ['{"name":"12345678901"}', 'name: must have at most 10 characters, these are 11'],
    ['{"name":"a","price":-0.01}', 'price: must be at least 0'],
    ['{"name":"a","price":1e999}', 'price: must be a number, not a number without end'],
    ['{"name":"a","count":11}', 'count: must be 1 to 10'],
    ['{"name":"a","rates":[]}', 'rates: must have at least 1 element, there are 0'],
    ['{"name":"a","tags":["1","2","3","4"]}', 'tags: must have at most 3 elements, there are 4'],
    ['{"name":"a","customer":5}', 'customer: must be an object, not a number'],
    ['{"name":"a","customer":[]}', 'customer: must be an object, not a list'],
    ['{"name":"a","rates":[5]}', 'rates[0]: must be an object, not a number'],
    ['{"name":null}', 'name: must be text, not null'],
    ['{"name":"a","toString":1}', 'toString: is not a field'],
    ['{"name":"a","customer":{}}', 'customer.email: is required'],
    [
      '{"name":"a","payment":{"credit_card":{"card_number":4111}}}',
      'payment.credit_card.card_number: must be text, not a number',
    ],
    [
      '{"name":"a","payment":{"credit_card":{"card_number":"41 11"}}}',
      'payment.credit_card.card_number: may hold digits only',
    ],
  ])('%s', async (body, expected) => {
    expect(await faults(body)).toEqual([expected]);
  });

  it('takes null and an empty text where they clear', async () => {
    expect(await faults('{"name":"a","profile":null}')).toEqual([]);
    expect(await faults('{"name":"a","profile":""}')).toEqual([]);
  });

  it('lets long and exact numbers pass by their text', async () => {
    expect(await faults('{"name":"a","price":12345678901234567890.00,"limit":12345678901234567890}')).toEqual([]);
    expect(await faults('{"name":"a","count":5.0}')).toEqual([]);
  });

  it('notes what an open body does not know', async () => {
    const found = await bodyFaults(open, tree('{"name":"a","nane":"b","x":1,"idempotency_key":"k"}'));
    expect(found.faults).toEqual([]);
    expect(found.notes).toEqual([
      'nane is not a known field; it is sent as given. Did you mean name?',
      'x is not a known field; it is sent as given.',
    ]);
    expect(await faults('{"name":5}', open)).toEqual(['name: must be text (in quotes), not a number']);
  });

  it('says once that a body is not documented', async () => {
    const unseen = operation({ action: 'create' });
    expect((await bodyFaults(unseen, tree('{"a":1,"b":2}'))).notes).toHaveLength(1);
    expect((await bodyFaults(unseen, {})).notes).toEqual([]);
  });

  it('refuses any field where none is taken', async () => {
    const empty = operation({ action: 'cancel', body: { closed: true, complete: true, fields: {} } });
    expect(await faults('{"a":1,"idempotency_key":"k"}', empty)).toEqual([
      'a: is not a field: nothing is accepted here',
    ]);
  });

  it('refuses an edit that changes nothing', async () => {
    const entry = { ...edit, body: { closed: true, complete: true, fields: { code: { type: 'string' } } } } as const;
    expect(await faults('{"idempotency_key":"k"}', entry)).toEqual([
      ': there is nothing to change: no fields are given',
    ]);
    expect(await faults('{"code":"k"}', entry)).toEqual([]);
  });
});
