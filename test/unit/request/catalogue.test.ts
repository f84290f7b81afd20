import { describe, expect, it } from 'vitest';
import { bodyFieldAt } from '../../../src/catalogue/body-fields.js';
import { FAMILY_INDEX, filterOptions, loadFamily, pathParameters } from '../../../src/catalogue/index.js';
import { RESERVED_OPTIONS } from '../../../src/catalogue/option-names.js';
import type { Family, Operation } from '../../../src/catalogue/types.js';
import { bodyFaults } from '../../../src/items/checks/body-faults.js';
import { bodyRemark, describeFields } from '../../../src/items/checks/describe-fault.js';
import { parseJson } from '../../../src/items/json/parse-json.js';
import { isObject, pathText, serialise, type TreeObject, walk } from '../../../src/items/json/tree.js';
import { canonicalBody, intentionTag, maskBody, maskBodyText } from '../../../src/items/secrets/mask-body.js';
import { secretFields } from '../../../src/items/secrets/secret-fields.js';
import { placeholdersIn, skeleton } from '../../../src/service/body/skeleton.js';
import { typedOptions } from '../../../src/service/request/operation-options.js';
import { planRequest } from '../../../src/service/request/request-plan.js';
import { create, ID, ID2, open } from './entries.js';

const families: Family[] = await Promise.all(FAMILY_INDEX.map((entry) => loadFamily(entry.name)));
const all: { family: Family; entry: Operation }[] = families.flatMap((family) =>
  family.operations.map((entry) => ({ family, entry })),
);
const named = (family: string, action: string): Operation => {
  const found = all.find(({ family: { name }, entry }) => name === family && entry.action === action);
  if (!found) throw new Error(`${family} ${action}`);
  return found.entry;
};

describe('every operation of the catalogue', () => {
  it('plans, with a body only for a POST and a key only for what changes something', () => {
    for (const { family, entry } of all) {
      const ids = pathParameters(entry).map((name) => {
        const kind = entry.params?.[name] ?? 'id';
        return kind === 'id' ? ID : kind === 'key' ? 'tax_rate' : 'sale';
      });
      const request = planRequest(family, entry, { ids, idempotencyKey: 'k'.repeat(36) });
      expect(request.path).not.toContain('{');
      expect(request.body === undefined).toBe(entry.method === 'GET');
      if (entry.method === 'POST') expect(request.body?.includes('idempotency_key')).toBe(entry.risk !== 'read');
    }
  });

  it('has a skeleton of every known field that its own schema knows', async () => {
    for (const { entry } of all.filter((one) => one.entry.body)) {
      const body = parseJson(serialise(skeleton(entry))).value as TreeObject;
      expect(Object.keys(body)).toEqual(
        Object.keys(entry.body?.fields ?? {}).filter((name) => name !== 'idempotency_key'),
      );
      const { faults } = await bodyFaults(entry, body);
      expect(faults.filter((fault) => /not a field|required/.test(fault.message))).toEqual([]);
      // A place without a value of its own is never sent as it stands.
      expect(serialise(body)).not.toMatch(/1\.00|example\.com"/);
      // Nor is a switch or a choice that nobody made: what stays is the service's default, or all that there is.
      const left = new Set(placeholdersIn(entry, body));
      walk(body, (parts, value) => {
        if (isObject(value) || Array.isArray(value) || left.has(pathText(parts))) return;
        const { field } = bodyFieldAt(entry, parts);
        const only = field?.enum?.filter((one) => one !== '') ?? [];
        expect(field?.default ?? (only.length === 1 ? only[0] : undefined), pathText(parts)).toBeDefined();
      });
      if (/<[^"]+>"/.test(serialise(body))) expect(placeholdersIn(entry, body)).not.toEqual([]);
    }
  });

  it('describes every field of its skeleton, and says when there may be more', () => {
    for (const { entry } of all.filter((one) => one.entry.body)) {
      const rows = describeFields(entry);
      for (const name of Object.keys(skeleton(entry))) expect(rows.some((row) => row.path === name)).toBe(true);
      for (const row of rows) expect(row.type).not.toContain('undefined');
      if (!entry.body?.complete) expect(bodyRemark(entry)).not.toBe('');
    }
  });

  it('offers options that clash with nothing and take no secret', () => {
    for (const { entry } of all) {
      const flags = [
        ...typedOptions(entry).map((option) => option.flag),
        ...filterOptions(entry).map((option) => option.option),
      ];
      expect(new Set(flags).size).toBe(flags.length);
      for (const option of typedOptions(entry)) {
        expect(RESERVED_OPTIONS.has(option.flag)).toBe(false);
        expect(secretFields(entry)).not.toContain(option.field);
      }
    }
  });

  it.each([
    ['customers', 'create', ['payment.credit_card.card_number', 'payment.credit_card.card_code']],
    ['sales', 'create', ['credit_card.card_number', 'credit_card.card_code']],
    ['customer_portals', 'edit', ['recaptcha.secret_key']],
    ['fulfillment_accounts', 'create', ['fields[].value']],
    ['user_gateways', 'create', ['fields[].value']],
  ])('%s %s knows its secrets', (family, action, expected) => {
    expect(secretFields(named(family, action))).toEqual(expected);
  });
});

describe('describeFields', () => {
  it('gives types, limits, values and paths', () => {
    const rows = new Map(describeFields(create).map((row) => [row.path, row]));
    expect([...rows.keys()][0]).toBe('name');
    expect(rows.get('name')).toMatchObject({ type: 'text', required: true, limits: '1 to 10 characters' });
    expect(rows.get('kind')?.values).toEqual(['one', 'two']);
    expect(rows.get('profile')?.type).toBe('id (20 characters) or null');
    expect(rows.get('tags')).toMatchObject({ type: 'list of text', limits: 'at most 3 elements' });
    expect(rows.get('rates[].rate')).toMatchObject({ type: 'number', required: true });
    expect(rows.get('payment.credit_card.card_number')?.secret).toBe(true);
  });

  it('says what is not known', () => {
    expect(bodyRemark(open)).toContain('unknown ones are sent');
    expect(bodyRemark({ ...create, body: { closed: true, complete: true, fields: {} } })).toBe('No fields.');
    expect(bodyRemark(create)).toBe('');
  });
});

describe('typedOptions', () => {
  it('offers top-level scalars that clash with nothing', () => {
    expect(typedOptions(create).map((option) => option.flag)).toEqual(['name', 'code', 'enabled', 'price', 'kind']);
  });
});

describe('masking', () => {
  const CARD = '4111111111111111';
  it('keeps every byte but the secrets', () => {
    const text = `{"amount":10.00,"payment":{"credit_card":{"card_number":"${CARD}","exp_month":1}},"pin":"77","n":12345678901234567890}`;
    expect(maskBodyText(create, text)).toBe(
      '{"amount":10.00,"payment":{"credit_card":{"card_number":"****","exp_month":1}},"pin":"****","n":12345678901234567890}',
    );
    expect(maskBodyText(create, '{ "amount" : 10.00 }')).toBe('{ "amount" : 10.00 }');
  });

  it.each([
    `{"credit_card":{"card_number":"${CARD}","card_code":"${CARD}"}}`,
    `{"x":[{"secret_key":"${CARD}"}]}`,
    `{"PASSWORD":"${CARD}"}`,
    `{"credentials":{"any":["${CARD}"]}}`,
    `{"third_party_credentials":{"id":"a","fields":[{"id":"b","value":"${CARD}"}]}}`,
    `{"environment_variables":[{"name":"A","value":"${CARD}","encrypted":true}]}`,
    `not json ${CARD}`,
  ])('hides the secrets of a body that is not known: %#', (text) => {
    for (const entry of [undefined, open, create]) expect(maskBodyText(entry, text)).not.toContain(CARD);
  });

  it('does not change what it is given', () => {
    const body = { pin: CARD };
    expect(maskBody(create, body)).toEqual({ pin: '****' });
    expect(body.pin).toBe(CARD);
  });
});

describe('intentionTag', () => {
  const tag = (what: string, ids: string[], body: unknown) => intentionTag(what, ids, canonicalBody(body));
  const hash = (text: string, ids = [ID]): string => tag('DoThing', ids, parseJson(text).value);
  it('is the same for the same intention', () => {
    expect(hash('{"a":1,"b":{"c":2,"d":[1,2]}}')).toBe(hash('{"b":{"d":[1,2],"c":2},"a":1}'));
    expect(hash('{"a":10.0,"idempotency_key":"one"}')).toBe(hash('{"idempotency_key":"two","a":1e1}'));
    expect(hash('{}')).toBe(tag('DoThing', [ID], undefined));
    expect(hash('{"a":0.0}')).toBe(hash('{"a":-0}'));
  });

  it('differs when anything differs', () => {
    const hashes = [
      hash('{"a":1}'),
      hash('{"a":"1"}'),
      hash('{"a":-1}'),
      hash('{"a":0.1}'),
      hash('{"a":[1]}'),
      hash('{"a":null}'),
      hash('{"a":12345678901234567890}'),
      hash('{"a":12345678901234567891}'),
      hash('{"a":1}', [ID2]),
      hash('{"a":1}', [ID, ID2]),
      tag('Other', [ID], { a: 1 }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
