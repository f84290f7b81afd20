import { describe, expect, test } from 'vitest';
import { editEffect, managementOf, writableFields } from '../../../src/catalogue/body-fields.js';
import { FAMILY_INDEX, findOperation, loadFamily } from '../../../src/catalogue/index.js';
import type { Field } from '../../../src/catalogue/types.js';

const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
const familyOf = (name: string) => {
  const family = families.find((one) => one.name === name);
  if (family === undefined) throw new Error(`no family ${name}`);
  return family;
};
const operationOf = (name: string, action: string) => {
  const operation = findOperation(familyOf(name), action);
  if (operation === undefined) throw new Error(`no operation ${name} ${action}`);
  return operation;
};

describe('fields that a write takes', () => {
  test('are those of the body, and by our reading those that reads show', () => {
    const coupon = operationOf('coupons', 'create');
    expect(coupon.body?.fields).not.toHaveProperty('coupon_code');
    expect(writableFields(coupon).has('coupon_code')).toBe(true);
    expect(writableFields(operationOf('products', 'create')).has('price')).toBe(true);
  });

  test('are known for every family that can be kept as files', () => {
    const blind = families
      .filter((family) => managementOf(family).as === 'file')
      .flatMap((family) => family.operations.map((operation) => ({ family, operation })))
      .filter(({ operation }) => ['create', 'edit'].includes(operation.action))
      .filter(({ operation }) => writableFields(operation).size === 0);
    expect(blind.map(({ family, operation }) => `${family.name} ${operation.action}`)).toEqual([]);
  });

  test('hold the natural key of every family that can be created as a file', () => {
    const keyless = families.filter((family) => {
      const create = findOperation(family, 'create');
      if (managementOf(family).as !== 'file' || create === undefined) return false;
      const [key] = family.keys;
      return key === undefined || !writableFields(create).has(key.field);
    });
    expect(keyless.map(({ name }) => name)).toEqual([]);
  });

  test.each([
    ['bin_profiles', 'bin_6', 'replaces'],
    ['functions', 'environment_variables', 'upserts'],
    ['functions', 'dependencies', 'replaces'],
    ['email_templates', 'filters', 'merges'],
    ['shipping_profiles', 'rates', 'replaces'],
    ['customer_portals', 'customer_permissions', 'merges'],
    ['products', 'price', 'replaces'],
  ])('an edit of %s: %s', (name, field, effect) => {
    const found = operationOf(name, 'edit').body?.fields[field] as Field;
    expect(editEffect(found)).toEqual(effect);
  });
});

describe('a set-up as files', () => {
  test.each([
    ['payment_profiles', { as: 'file' }],
    ['sentinel', { as: 'file' }],
    ['campaigns', { as: 'external' }],
    ['site_gateways', { as: 'external' }],
    ['site_shipping_providers', { as: 'external' }],
    ['site_fulfillment_centers', { as: 'external' }],
    ['sales', { as: 'none', why: 'they are events, not set-up' }],
    ['customers', { as: 'none', why: 'they belong to customers' }],
    ['metadata', { as: 'none' }],
  ])('%s', (name, management) => {
    expect(managementOf(familyOf(name))).toMatchObject(management);
  });

  test('refers only to what files or the other side hold', () => {
    const stray: string[] = [];
    const walk = (fields: Readonly<Record<string, Field>>, at: string): void => {
      for (const [name, field] of Object.entries(fields)) {
        for (const target of field.refers ?? []) {
          const other = familyOf(target);
          if (managementOf(other).as === 'none' && field.unread !== true) stray.push(`${at}.${name}: ${target}`);
        }
        walk(field.fields ?? {}, `${at}.${name}`);
        walk(field.items?.fields ?? {}, `${at}.${name}`);
      }
    };
    for (const family of families.filter((one) => managementOf(one).as === 'file')) {
      for (const operation of family.operations.filter(({ action }) => ['create', 'edit'].includes(action))) {
        walk(operation.body?.fields ?? {}, `${family.name} ${operation.action}`);
        walk(operation.assumed ?? {}, `${family.name} ${operation.action}`);
      }
    }
    expect(stray).toEqual([]);
  });
});

describe('natural keys', () => {
  test('stand in the items or columns of their family', () => {
    const lost = families.flatMap((family) =>
      family.keys
        .filter(({ field }) => field !== family.idField)
        .filter(({ field }) => {
          const written = family.operations.some((one) => writableFields(one).has(field));
          return !written && family.item?.[field] === undefined && !family.columns.some(({ path }) => path === field);
        })
        .map(({ field }) => `${family.name}.${field}`),
    );
    expect(lost).toEqual([]);
  });
});
