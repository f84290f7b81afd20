import { describe, expect, it } from 'vitest';
import { allFamilies } from '../../../src/catalogue/index.js';
import { type FamilyRelation, relationNamed, relationsOf } from '../../../src/catalogue/relations.js';
import { parseLossless } from '../../../src/items/json/lossless.js';
import { vocabularyOf } from '../../../src/items/select/names.js';
import { carriesAt } from '../../../src/items/select/values.js';
import { relatedFields } from '../../../src/session/joins/roads.js';

const families = await allFamilies();
const of = (name: string): readonly FamilyRelation[] => {
  const family = families.find((one) => one.name === name);
  return family ? relationsOf(family, families) : [];
};
const named = (family: string, word: string) => relationNamed(of(family), word);

describe('relations', () => {
  it('come from the fields of an item, with what says so', () => {
    expect(named('subscription_renewals', 'product')).toMatchObject({
      to: 'products',
      many: false,
      evidence: 'spec',
      by: { kind: 'field', path: 'product' },
    });
    expect(named('transactions', 'card')).toMatchObject({
      to: 'customer_cards',
      evidence: 'assumed',
      by: { path: 'customer_card' },
    });
    expect(named('chargebacks', 'transaction')).toMatchObject({
      evidence: 'published',
      by: { path: 'transaction_id' },
    });
  });

  it('lead back, with the filter that asks the service for them', () => {
    expect(named('customers', 'subscriptions')).toMatchObject({
      to: 'subscriptions',
      many: true,
      by: { kind: 'back', relation: 'customer' },
    });
    expect(named('customers', 'payment-methods')).toMatchObject({ to: 'customer_cards', filter: 'customer_id' });
    expect(named('products', 'renewals')).toMatchObject({ to: 'subscription_renewals', evidence: 'spec' });
  });

  it('take the certain side of two', () => {
    expect(named('subscriptions', 'renewals')).toMatchObject({
      evidence: 'spec',
      by: { kind: 'back', relation: 'subscription', shown: 'subscription_renewals' },
    });
  });

  it('lead by a rule where no field names the item', () => {
    expect(named('subscriptions', 'card')).toMatchObject({ evidence: 'by rule', by: { name: 'default_card' } });
    expect(named('subscriptions', 'paid_card')).toMatchObject({ by: { name: 'last_paid' } });
  });

  it('lead to the only one of a list by its singular', () => {
    expect(named('transactions', 'sale')).toMatchObject({ to: 'sales', many: false, by: { path: 'sales' } });
  });

  it('have one word each, and lead back by a relation that there is', () => {
    for (const { name } of families) {
      const words = of(name).flatMap(({ word, also }) => [word, ...also]);
      expect(
        words.filter((word, at) => words.indexOf(word) !== at),
        name,
      ).toEqual([]);
      for (const { word, to, by } of of(name)) {
        expect(
          families.map((family) => family.name),
          word,
        ).toContain(to);
        if (by.kind === 'back') expect(named(to, by.relation), `${name} ${word}`).toMatchObject({ to: name });
      }
    }
  });
});

/** An item with nothing but the id at a path, in a copy of the row that it names, which may be one of a list. */
function itemNaming(path: string, many: boolean): unknown {
  const steps = path.replace(/\.id$/, '').split('.');
  const copy = { id: 'BNlYgx9ScEGaeulqy72y' };
  return steps.reduceRight<unknown>((below, step) => ({ [step]: below }), many ? [copy] : copy);
}

it('leads over every relation to each field that the copy on an item lacks', async () => {
  const missed: string[] = [];
  let followed = 0;
  for (const family of families) {
    const list = family.operations.find(({ action }) => action === 'list');
    if (!list || list.columns) continue;
    const vocabulary = vocabularyOf(family, list);
    const held = relationsOf(family).filter(({ by }) => by.kind === 'field');
    const singular = held.flatMap(({ word, many }) => {
      const one = many ? relationNamed(held, word.replace(/s$/, '')) : undefined;
      return one && !one.many ? [one] : [];
    });
    for (const { word, to, by, many } of [...held, ...singular]) {
      const far = families.find(({ name }) => name === to);
      if (by.kind !== 'field' || !far) continue;
      const isList = many || held.some((one) => one.many && one.by.kind === 'field' && one.by.path === by.path);
      const row = parseLossless(JSON.stringify(itemNaming(by.path, isList)));
      for (const field of [...Object.keys(far.item ?? {}), 'is_misspelt']) {
        const typed = `${word}.${field}`;
        if (field === far.idField) continue;
        const { roads, related } = await relatedFields(family, vocabulary, [typed], undefined, () => undefined);
        const road = roads.get(related.get(typed)?.path ?? '');
        // A list's own field is one of its elements'; an element without it shows nothing.
        const isSilent = road ? road.own.some((path) => carriesAt(row, path)) : carriesAt(row, typed);
        if (isSilent) missed.push(`${family.name}: ${typed}`);
        if (road) followed++;
      }
    }
  }
  expect(missed).toEqual([]);
  expect(followed).toBeGreaterThan(1000);
}, 60_000);
