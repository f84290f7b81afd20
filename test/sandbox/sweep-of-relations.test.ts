/** @module-tag sweep */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allFamilies } from '../../src/catalogue/index.js';
import { type FamilyRelation, relationNamed, relationsOf } from '../../src/catalogue/relations.js';
import type { Family } from '../../src/catalogue/types.js';
import { type Lossless, parseLossless } from '../../src/items/json/lossless.js';
import { followRelation, type Linked } from '../../src/items/select/follow.js';
import { modeOf } from '../../src/sandbox/store/kinds.js';
import type { OpenedSandbox } from '../../src/sandbox/store/open-store.js';
import { layFor, SOME } from '../harness/seeded.js';
import type { Json } from './service.js';

/*
 * Each relation, followed from each item of the sandbox, gives what the raw ids say. What they say is read here from
 * the JSON alone: which text is the id of which item, and at which path it is.
 */

const families = await allFamilies();
const START = Date.parse('2026-03-10T10:00:00Z') / 1000;
const dataDir = mkdtempSync(join(tmpdir(), 'relations-'));
let opened: OpenedSandbox;
/** Families of ids. */
const owners = new Map<string, Set<string>>();
interface Raw {
  readonly text: string;
  readonly item: Json;
  /** As the program reads it. */
  readonly read: Lossless;
}

/** Items of both modes as they are served, by family. */
const raw = new Map<string, readonly Raw[]>();

beforeAll(async () => {
  opened = await layFor(dataDir, START, 1, SOME);
  for (const { name, idField } of families) {
    const modes = new Set([modeOf(name, false), modeOf(name, true)]);
    const items = [...modes].flatMap((live) => opened.store.all(name, live).map(({ value }) => value as Json));
    raw.set(
      name,
      items.map((item) => {
        const text = JSON.stringify(item);
        return { text, item: JSON.parse(text), read: parseLossless(text) };
      }),
    );
    for (const item of items) owners.set(item[idField], (owners.get(item[idField]) ?? new Set()).add(name));
  }
});
afterAll(() => {
  opened.database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Every text of an item that is an id, with its path; what embedded items name is theirs. */
function idsIn(value: unknown, own: string, path = ''): { path: string; id: string }[] {
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one, own, path));
  if (value === null || typeof value !== 'object') {
    const isId = typeof value === 'string' && value !== own && (owners.get(value)?.size ?? 0) > 0;
    return isId ? [{ path, id: value }] : [];
  }
  const { id } = value as { id?: unknown };
  if (path !== '' && typeof id === 'string' && owners.has(id)) return [{ path, id }];
  return Object.entries(value).flatMap(([name, member]) => idsIn(member, own, path === '' ? name : `${path}.${name}`));
}

const held = (family: Family): FamilyRelation[] => relationsOf(family).filter(({ by }) => by.kind === 'field');

const pathsOf = ({ by }: FamilyRelation): readonly string[] => (by.kind === 'field' ? [by.path, ...(by.or ?? [])] : []);

/** Names of items of an unknown family, and of what is no item. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = { api_calls: ['related_ids'] };

describe.each(families.map((family) => ({ family, name: family.name })))('$name', ({ family, name }) => {
  it('has a relation for every id that its items show', () => {
    const known = new Set([...held(family).flatMap(pathsOf), ...(UNTOLD[name] ?? []), name]);
    const found = new Set(
      (raw.get(name) ?? []).flatMap(({ item }) => {
        return idsIn(item, item[family.idField]).map(({ path }) => path);
      }),
    );
    expect([...found].filter((path) => !known.has(path))).toEqual([]);
  });

  it.each(held(family).map((relation) => ({ relation, word: relation.word, to: relation.to })))(
    'leads by $word to $to as the raw ids say',
    ({ relation, to }) => {
      const [path = '', ...or] = pathsOf(relation);
      for (const { text, item, read } of raw.get(name) ?? []) {
        const linked = followRelation(read, relation);
        const all = idsIn(item, '').filter(({ id }) => owners.get(id)?.has(to));
        const at = [path, ...or].map((one) => all.filter((each) => each.path === one).map(({ id }) => id));
        const wanted = [...new Set(at.find((ids) => ids.length > 0) ?? [])];
        expect(idsOf(linked), text).toEqual(relation.many || wanted.length === 1 ? wanted : []);
        if (linked.state === 'none') expect(wanted).toEqual([]);
        if (linked.state === 'unknown') expect(wanted.length > 1 || !shows(item, path)).toBe(true);
      }
    },
  );

  const back = relationsOf(family, families).filter(({ by }) => by.kind === 'back');
  it.each(back.map((relation) => ({ relation, word: relation.word, to: relation.to })))(
    'is led to by $word as the raw ids of $to say',
    ({ relation, to }) => {
      if (relation.by.kind !== 'back') return;
      const other = families.find((one) => one.name === to) as Family;
      const forward = relationNamed(relationsOf(other), relation.by.relation) as FamilyRelation;
      const links = new Map<string, string[]>();
      const wanted = new Map<string, string[]>();
      for (const { item, read } of raw.get(to) ?? []) {
        for (const id of idsOf(followRelation(read, forward))) add(links, id, item.id);
        const said = new Set(
          idsIn(item, '')
            .filter((one) => pathsOf(forward).includes(one.path))
            .map(({ id }) => id),
        );
        for (const id of said) if (owners.get(id)?.has(name)) add(wanted, id, item.id);
      }
      expect(links).toEqual(wanted);
      if (relation.by.shown === undefined) return;
      for (const { text, item } of raw.get(name) ?? []) {
        const shown = idsIn(item, '').filter(({ path }) => path === (relation.by as { shown?: string }).shown);
        const missing = shown.filter(({ id }) => !(wanted.get(item.id) ?? []).includes(id));
        expect(missing, `${text} shows what does not name it`).toEqual([]);
      }
    },
  );

  it('shows in its lists whatever names it', () => {
    const short = relationsOf(family, families).filter((relation) => {
      if (!relation.many || relation.by.kind !== 'field' || relation.to === name) return false;
      const listed = links(family, relation, false);
      const ways = held(families.find((one) => one.name === relation.to) as Family);
      const back = ways.filter((one) => one.to === name && one.word !== 'last_renewal');
      const named = back.flatMap((way) => [
        ...links(families.find((one) => one.name === relation.to) as Family, way, true),
      ]);
      return named.some((one) => !listed.has(one));
    });
    // A sale shows its own payments: those of its renewals name it as well.
    expect(short.map(({ word }) => word)).toEqual(name === 'sales' ? ['transactions'] : []);
  });
});

/** `from to` for each id that items show in a relation. */
function links({ name, idField }: Family, relation: FamilyRelation, isTurned: boolean): Set<string> {
  const pairs = (raw.get(name) ?? []).flatMap(({ item, read }) =>
    idsOf(followRelation(read, relation)).map((id) => (isTurned ? [id, item[idField]] : [item[idField], id])),
  );
  return new Set(pairs.map((pair) => pair.join(' ')));
}

const idsOf = (linked: Linked): readonly string[] => (linked.state === 'known' ? linked.ids : []);

function add(map: Map<string, string[]>, key: string, value: string): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

function shows(item: unknown, path: string): boolean {
  if (Array.isArray(item)) return item.length === 0 || item.some((one) => shows(one, path));
  if (path === '') return true;
  const [step = '', ...rest] = path.split('.');
  if (item === null || typeof item !== 'object' || !(step in item)) return item === null;
  return shows((item as Json)[step], rest.join('.'));
}
