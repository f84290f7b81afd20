import type { Family, Field, Operation } from '../../../src/catalogue/types.js';

/** Small entries of our own, so that these tests don't move with the catalogue. */
export function operation(part: Partial<Operation> & Pick<Operation, 'action'>): Operation {
  return {
    method: 'POST',
    path: '/things',
    operationId: 'DoThing',
    summary: 'Does a thing.',
    risk: 'write',
    rules: [],
    example: 'things create',
    evidence: 'spec',
    ...part,
  };
}

export function family(name: string, operations: readonly Operation[]): Family {
  return { name, summary: name, columns: [{ path: 'id' }], idField: 'id', nature: 'event', keys: [], operations };
}

const text: Field = { type: 'string' };

export const create = operation({
  action: 'create',
  body: {
    closed: true,
    complete: true,
    fields: {
      name: { type: 'string', required: true, minLength: 1, maxLength: 10 },
      code: text,
      enabled: { type: 'boolean' },
      price: { type: 'number', min: 0 },
      count: { type: 'integer', min: 1, max: 10 },
      kind: { type: 'string', enum: ['one', 'two'] },
      profile: { type: 'string', format: 'id', nullable: true },
      tags: { type: 'array', items: text, maxItems: 3 },
      limit: { type: 'integer' },
      customer: {
        type: 'object',
        fields: {
          email: { type: 'string', format: 'email', required: true },
          country: { type: 'string', format: 'country' },
          zip: text,
        },
      },
      rates: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          fields: { rate: { type: 'number', required: true }, label: text },
        },
      },
      payment: {
        type: 'object',
        fields: {
          credit_card: {
            type: 'object',
            fields: {
              card_number: { type: 'string', format: 'digits', secret: true },
              exp_month: { type: 'integer', min: 1, max: 12 },
            },
          },
        },
      },
      pin: { type: 'string', secret: true },
    },
  },
});

export const open = operation({ action: 'create', body: { closed: false, complete: false, fields: { name: text } } });

export const edit = operation({ ...create, action: 'edit', path: '/things/{thing_id}' });

export const ID = 'KnQ0KlNE6kf5mobyV0pN';
export const ID2 = 'ALkMK9pqgzfvgrqjlMVL';
