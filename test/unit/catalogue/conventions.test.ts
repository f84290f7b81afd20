import { describe, expect, test } from 'vitest';
import { checkCatalogue } from '../../../scripts/check-catalogue.js';
import { type OperationSpec, resolveFamily, singularOf } from '../../../src/catalogue/conventions.js';

const names = new Set(['gift_cards', 'customers']);

function familyOf(operations: Readonly<Record<string, OperationSpec>>) {
  const spec = {
    name: 'gift_cards',
    summary: 'Cards to give away.',
    columns: [{ path: 'id' }],
    nature: 'set-up',
    exampleId: 'SfPsVDDxPAXRNjczbZfr',
    operations,
  } as const;
  return resolveFamily(spec, names);
}

const operationOf = (action: string, spec: OperationSpec) => familyOf({ [action]: spec }).operations[0];

describe('the conventions', () => {
  test('make a usual family out of its actions alone', () => {
    const family = familyOf({
      list: {},
      get: {},
      create: { body: { fields: { name: { type: 'string' } } }, example: 'gift-cards create --name "Ten"' },
      edit: { body: { complete: true, fields: { name: { type: 'string' } } } },
      delete: { evidence: 'convention' },
    });
    expect(family.operations[0]?.list).toEqual({ style: 'paged' });
    expect(checkCatalogue([family])).toEqual([]);
    expect(family.operations.map(({ method, path, operationId, risk }) => [method, path, operationId, risk])).toEqual([
      ['GET', '/gift_cards', 'GetGiftCards', 'read'],
      ['GET', '/gift_cards/{gift_card_id}', 'GetGiftCard', 'read'],
      ['POST', '/gift_cards', 'CreateGiftCard', 'write'],
      ['POST', '/gift_cards/{gift_card_id}', 'EditGiftCard', 'write'],
      ['POST', '/gift_cards/{gift_card_id}/delete', 'DeleteGiftCard', 'irreversible'],
    ]);
    expect(family.operations.map(({ summary }) => summary)).toEqual([
      'List gift cards',
      'Show one gift card',
      'Create a gift card',
      'Edit a gift card',
      'Delete a gift card',
    ]);
    expect(family.operations.map(({ rules }) => rules)).toEqual([
      [],
      [],
      ['More body fields exist; they are not documented.'],
      ['Send only what changes.'],
      ['Deletion cannot be undone.', 'Built from the naming convention; it is not documented.'],
    ]);
    expect(family.operations.map(({ answerId }) => answerId)).toEqual([
      undefined,
      undefined,
      'gift_card_id',
      'gift_card_id',
      'gift_card_id',
    ]);
    expect(family.idField).toBe('id');
    expect(family.keys).toEqual([]);
  });

  test('give way to what the family says, and to undefined', () => {
    const operation = operationOf('delete', { path: '/elsewhere', answerId: undefined, preview: undefined });
    expect(operation?.path).toBe('/elsewhere');
    expect(operation).not.toHaveProperty('answerId');
    expect(operation).not.toHaveProperty('preview');
  });

  test('know what hangs on an item', () => {
    expect(operationOf('top-ups list', { list: { style: 'paged' } })).toMatchObject({
      path: '/gift_cards/{gift_card_id}/top_ups',
      summary: "List a gift card's top ups",
      operationId: '',
    });
    expect(operationOf('top-ups set-default', { risk: 'write' })?.path).toBe(
      '/gift_cards/{gift_card_id}/top_ups/{top_up_id}/set_default',
    );
  });

  test('leave a risk that only the operation can tell to the checks of the build', () => {
    expect(checkCatalogue([familyOf({ burn: { summary: 'Burn one' } })]).join('\n')).toMatch(/no risk/);
  });

  test('put the sentences of all before and after those of one, unless its body is undocumented', () => {
    const told = operationOf('edit', { rules: ['Own.'], evidence: 'convention' });
    expect(told?.rules).toEqual([
      'Send only what changes.',
      'Own.',
      'Built from the naming convention; it is not documented.',
    ]);
    expect(operationOf('edit', { rules: ['Own.'], body: {}, further: {} })?.rules).toEqual([
      'Own.',
      'The body fields are not documented: any field is passed on with a note.',
    ]);
  });

  test.each([
    ['subscription_profiles', 'subscription_profile'],
    ['shipping', 'shipping'],
    ['tax', 'tax'],
    ['companies', 'company'],
  ])('one of %s is a %s', (name, single) => {
    expect(singularOf(name)).toBe(single);
  });
});
