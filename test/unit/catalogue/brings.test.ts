import { describe, expect, it } from 'vitest';
import { movesBy } from '../../../src/account/policy/moves.js';
import { broughtBy, operationOfRows, operationWith } from '../../../src/account/safety/as-sent.js';
import { FAMILY_INDEX, loadFamily, operationNamed } from '../../../src/catalogue/index.js';
import type { Field, Operation } from '../../../src/catalogue/types.js';

/** Words of the service for what pays back, ends or charges. */
const GRAVE =
  /\b(voids?|refund(s|ed|ing)?|cancel(s|led)?|charg(e|es|ed)|collects?)\b|(^|_)(void|refund|cancel|charge)/i;

/** Fields whose words are grave and that do nothing of the kind, with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'customer-portals create customer_permissions.subscription_cancel': 'what a customer may do later',
  'customer-portals create customer_permissions.trial_cancel': 'what a customer may do later',
  'customer-portals edit customer_permissions.subscription_cancel': 'what a customer may do later',
  'customer-portals edit customer_permissions.trial_cancel': 'what a customer may do later',
};

interface Named {
  readonly at: string;
  readonly field: Field;
  readonly isTop: boolean;
}

function fieldsOf(fields: Readonly<Record<string, Field>> | undefined, at: string, isTop = true): Named[] {
  return Object.entries(fields ?? {}).flatMap(([name, field]) => [
    { at: `${at}${name}`, field, isTop },
    ...fieldsOf(field.fields, `${at}${name}.`, false),
    ...fieldsOf(field.items?.fields, `${at}${name}[].`, false),
  ]);
}

async function writes(): Promise<{ readonly name: string; readonly operation: Operation }[]> {
  const families = await Promise.all(
    FAMILY_INDEX.map(async (entry) => ({ entry, family: await loadFamily(entry.name) })),
  );
  return families.flatMap(({ entry, family }) =>
    family.operations
      .filter(({ method }) => method === 'POST')
      .map((operation) => ({ name: `${entry.command} ${operation.action}`, operation })),
  );
}

describe('what a field of a body brings', () => {
  it('stands in the catalogue wherever its words say that it pays back, ends or charges', async () => {
    const silent: string[] = [];
    const used = new Set<string>();
    for (const { name, operation } of await writes()) {
      if (movesBy(operation, operation.risk) !== 'nothing') continue;
      const sentences = operation.rules.filter((rule) => GRAVE.test(rule));
      for (const { at, field } of fieldsOf({ ...operation.body?.fields, ...operation.assumed }, `${name} `)) {
        const word = at.split(/[ .]/).at(-1) ?? '';
        const isGrave =
          GRAVE.test(word) || GRAVE.test(field.note ?? '') || sentences.some((rule) => rule.includes(`\`${word}\``));
        if (!isGrave || field.brings) continue;
        if (HARMLESS[at] === undefined) silent.push(`${at}: ${field.note ?? ''}`);
        used.add(at);
      }
    }
    expect(silent).toEqual([]);
    expect(Object.keys(HARMLESS).filter((at) => !used.has(at))).toEqual([]);
  });

  it('is an operation with its own risk, of an item that a field beside it names', async () => {
    const brought = (await writes()).flatMap(({ name, operation }) =>
      fieldsOf(operation.body?.fields, `${name} `).flatMap((one) => (one.field.brings ? [{ ...one, operation }] : [])),
    );
    expect(brought.map(({ at }) => at)).toEqual([
      'fraud-detections create void_sale',
      'fraud-detections create flag_similar_sale',
    ]);
    for (const { at, field, isTop, operation } of brought) {
      const { brings } = field;
      expect((await operationNamed(brings?.operation ?? ''))?.operation.risk, at).toBe(brings?.risk);
      // What stands deeper in a body is not looked for.
      expect(isTop, at).toBe(true);
      if (brings?.on) expect(operation.body?.fields, at).toHaveProperty(brings.on);
    }
  });

  it('is brought by every body of the family, unless it is false or null', async () => {
    const { operations } = await loadFamily('fraud_detections');
    for (const operation of operations.filter(({ method }) => method === 'POST')) {
      const fields = (body: object) => broughtBy(operation, { ...body }).map(({ field, ids }) => [field, ids]);
      expect(fields({ void_sale: true, source_id: 'S' })).toEqual([['void_sale', ['S']]]);
      expect(fields({ void_sale: 'yes' })).toEqual([['void_sale', undefined]]);
      for (const value of [false, null, undefined]) expect(fields({ void_sale: value, source_id: 'S' })).toEqual([]);
    }
  });

  it('makes an operation as grave as what it brings, which by itself moves what it moved', () => {
    const note = {
      action: 'create',
      method: 'POST',
      risk: 'write',
      brings: { void_it: { operation: 'sales void', risk: 'irreversible', on: 'sale' } },
    } as unknown as Operation;
    expect(operationWith(note, { text: 'x' })).toBe(note);
    const grave = operationWith(note, { text: 'x', void_it: true });
    expect(grave.risk).toBe('irreversible');
    expect(movesBy(grave, grave.risk)).toBe('nothing');
    expect(operationOfRows(note).risk).toBe('irreversible');
  });
});
