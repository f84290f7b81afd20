/** @module-tag sweep */
import { expect, it } from 'vitest';
import { allFamilies } from '../../src/catalogue/index.js';
import { type FamilyRelation, relationNamed, relationsOf } from '../../src/catalogue/relations.js';
import type { Family } from '../../src/catalogue/types.js';
import { modeOf } from '../../src/sandbox/store/kinds.js';
import { strippedSandbox } from '../fixtures/stripped-sandbox.js';
import { QuickClock } from '../harness/clock.js';

/*
 * An assumed relation that the service turns out not to show: a question that rests on it is refused (2), or says that
 * its answer is not whole (10); it never answers as if nobody were related.
 */

const NOW = Date.parse('2026-03-10T10:00:00Z') / 1000;
const families = await allFamilies();

/** Where the relation itself is held: by the family asked, or by that which it leads to. */
function heldAt(family: Family, relation: FamilyRelation): { family: string; paths: readonly string[] } | undefined {
  const { by } = relation;
  if (by.kind === 'field')
    return { family: family.name, paths: [by.path, ...(by.or ?? []), ...(by.when ? [by.when.path] : [])] };
  const other = families.find(({ name }) => name === relation.to);
  const back = by.kind === 'back' && other ? relationNamed(relationsOf(other), by.relation) : undefined;
  return back && other && heldAt(other, back);
}

const isListed = (family: Family): boolean =>
  family.operations.some(({ action, list }) => action === 'list' && list !== undefined);

const spanOf = (family: Family): string[] =>
  family.operations.some(({ action, list }) => action === 'list' && list?.style === 'windowed') ? ['--all-time'] : [];

it('is never answered by as if there were none', { timeout: 900_000 }, async () => {
  const { home, store, strip } = await strippedSandbox(NOW);
  const wrong: string[] = [];
  let asked = 0;
  const isEmpty = (name: string): boolean => store.all(name, modeOf(name, false)).length === 0;
  for (const family of families.filter((one) => isListed(one) && !isEmpty(one.name)))
    for (const relation of relationsOf(family, families)) {
      const held = heldAt(family, relation);
      if (relation.evidence !== 'assumed' || !held || isEmpty(held.family)) continue;
      strip(held.family, held.paths);
      const command = family.name.replaceAll('_', '-');
      const word = relation.word.replaceAll('_', '-');
      const questions = relation.many
        ? [
            ['--with', word],
            ['--without', word],
          ]
        : [['--where', `${word}.created_date_unix>1`]];
      for (const question of questions) {
        const line = [command, 'list', ...spanOf(family), ...question, '-o', 'ids'];
        const { code, stdout } = await home.run(line, { clock: new QuickClock(NOW * 1000) });
        asked++;
        if (code !== 2 && code !== 10) wrong.push(`${line.join(' ')}: ${code}, ${stdout.split('\n').length - 1} ids`);
      }
      strip(held.family, []);
    }
  expect(asked).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
