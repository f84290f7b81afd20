/** Every field that set-up files hold: where two sides differ in it, a plan says so, whatever an edit takes. */
import { describe, expect, it } from 'vitest';
import type { Field } from '../../../src/catalogue/types.js';
import type { Tree, TreeObject } from '../../../src/items/json/tree.js';
import { baseOf } from '../../../src/setup/compare-object.js';
import { loadFamilies, type Managed } from '../../../src/setup/families.js';
import { makePlan } from '../../../src/setup/plan-objects.js';
import { emptyState } from '../../../src/setup/recorded-state.js';
import { shapeOf } from '../../../src/setup/shape-references.js';
import type { FileObject, Remote, SetupPlan, Snapshot } from '../../../src/setup/types.js';

const ID = 'kWfxjbQvgWYQUKRf48L9';
const OTHERS: readonly [Tree, Tree] = ['https://shop.example.com/a.png', 'https://shop.example.com/b.png'];

/** Two values that a field may have, which are not alike. */
function valuesOf(field: Field): readonly [Tree, Tree] {
  if (field.enum && field.enum.length > 1 && field.type === 'string')
    return [String(field.enum[0]), String(field.enum[1])];
  if (field.type === 'boolean') return [true, false];
  if (field.type === 'array') {
    const [one, other] = field.items ? valuesOf(field.items) : OTHERS;
    return [[one], [other]];
  }
  if (field.type === 'object') {
    const [name, member] = Object.entries(field.fields ?? {})[0] ?? ['any', { type: 'string' } as Field];
    const [one, other] = valuesOf(member);
    return [{ [name]: one }, { [name]: other }];
  }
  return field.type === 'string' || field.type === 'any' ? OTHERS : [1, 2];
}

/** An item that shows a field with a value. */
function itemWith(managed: Managed, name: string, field: Field, value: Tree): TreeObject {
  const key = managed.keyField === undefined ? {} : { [managed.keyField]: 'One' };
  if (field.movesFrom === undefined) return { id: ID, ...key, [name]: value };
  return { id: ID, ...key, images: [{ full_url: value, file_name: String(value).split('/').at(-1) ?? '' }] };
}

async function planned(managed: Managed, here: TreeObject, there: TreeObject, asFile: boolean): Promise<SetupPlan> {
  const families = await loadFamilies();
  const address = `${managed.name}/One`;
  const one = { address, managed, key: 'One' };
  const remote: Remote = { ...one, id: ID, item: there, shape: shapeOf(managed, there), hash: 'a' };
  const placeOf = () => ({ file: address, line: 1, column: 1 });
  const item = asFile ? undefined : here;
  const file: FileObject = { ...one, file: address, shape: shapeOf(managed, here), item, placeOf };
  const snapshot: Snapshot = {
    objects: new Map([[address, remote]]),
    byId: new Map([[ID, remote]]),
    addresses: new Map(),
    ids: new Map([[address, [ID]]]),
    unproven: [],
    nameless: [],
  };
  const state = emptyState();
  if (!asFile) state.base[address] = baseOf(remote.shape);
  const { plan } = makePlan({
    files: new Map([[address, file]]),
    snapshot,
    state,
    families,
    environment: { profile: 'acme', mode: 'live', base_url: 'https://api.example.com', fingerprint: 'f' },
    time: '2026-11-01T12:00:00.000Z',
    wanted: new Set([managed.name]),
    deletable: new Set(),
    overwriteDrift: false,
    writeShared: true,
    sharedIds: new Set(),
    secretMark: () => undefined,
  });
  return plan;
}

/** Whether a plan names a field as a difference. */
function names({ steps, drift, cannot }: SetupPlan, field: string, known: Field): boolean {
  const changed = [...steps, ...drift].flatMap(({ changes }) => changes.map((change) => change.field));
  const words = [field, ...(known.movesFrom === undefined ? [] : [known.movesFrom.split('.')[0] ?? ''])];
  return changed.includes(field) || cannot.some((line) => words.some((word) => ` ${line} `.includes(` ${word} `)));
}

const all = [...(await loadFamilies()).managed.values()];

describe.each(all.map((managed) => [managed.name, managed] as const))('%s', (_, managed) => {
  it('names each field that its files hold where it differs', async () => {
    const silent: string[] = [];
    for (const [name, field] of Object.entries(managed.fields)) {
      if (name === managed.keyField || name === 'idempotency_key') continue;
      const [one, other] = valuesOf(field);
      const here = itemWith(managed, name, field, one);
      // What files do not hold (secrets, what no read shows) is told as not compared.
      if (shapeOf(managed, here)[name] === undefined) continue;
      const sides = { other: itemWith(managed, name, field, other), nothing: { ...here, [name]: null, images: [] } };
      for (const [side, there] of Object.entries(sides))
        for (const asFile of [true, false])
          if (!names(await planned(managed, here, there, asFile), name, field))
            silent.push(`${name}: ${side}${asFile ? ', file' : ''}`);
      const reverse = await planned(managed, sides.nothing, here, false);
      if (!names(reverse, name, field)) silent.push(`${name}: only there`);
    }
    expect(silent).toEqual([]);
  });
});
