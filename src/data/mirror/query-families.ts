import { namesIn } from '../../base/database/read-query.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import { familiesOf, MIRROR_VIEWS } from './views.js';

/** The families whose rows a query reads, by the tables and views it names. */
export function familiesInQuery(sql: string): string[] {
  const families = new Set(FAMILY_INDEX.map(({ name }) => name));
  const views = new Set(MIRROR_VIEWS.map(({ name }) => name));
  const found = namesIn(sql).flatMap((word) => {
    const name = word.toLowerCase();
    if (views.has(name)) return familiesOf([name]);
    const family = name.replace(/^raw_/, '');
    return families.has(family) ? [family] : [];
  });
  return [...new Set(found)].sort();
}
