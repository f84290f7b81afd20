import { cops, say } from '../../base/text/command-line.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { Item } from '../../items/json/item-json.js';
import { hideCards } from '../../items/secrets/redact.js';
import { rowLines } from '../../screen/row-lines.js';
import type { Context, Done } from '../context/context.js';
import { rowRead } from '../operation/spec.js';
import type { AskRow } from '../read/pick-row.js';
import { readItems } from '../read/read-items.js';
import { openLook, present } from './look.js';
import { personSheet } from './person.js';
import type { Section } from './sheet.js';

/** Lets a person choose one of the results, and shows it. */
export async function openFound(context: Context, sections: readonly Section[], ask: AskRow): Promise<Done> {
  const { tz } = await context.settings();
  const rows: { readonly family: Family; readonly get: Operation; readonly id: string; readonly line: string }[] = [];
  for (const section of sections) {
    const family = await loadFamily(section.family ?? section.word);
    const list = family.operations.find(({ action }) => action === 'list' || action === 'search');
    const get = list && rowRead(family, list);
    if (!get) continue;
    const items = section.items.map((raw) => new Item(raw));
    const lines = await rowLines(items, section.columns, tz);
    for (const [at, item] of items.entries())
      rows.push({ family, get, id: String(item.field(family.idField)), line: lines[at] ?? '' });
  }
  const choices = rows.map(({ family, line }, at) => ({
    value: String(at),
    name: hideCards(`${line}  ${family.name.replaceAll('_', ' ')}`),
  }));
  const chosen = rows[Number(await ask('', choices))];
  if (!chosen) throw new Error('the chosen row was not offered');
  return openRow(context, chosen.family, chosen.get, [chosen.id]);
}

/** Shows a chosen row, and names the line that shows it without a question. */
export async function openRow(
  context: Context,
  family: Family,
  operation: Operation,
  ids: readonly string[],
): Promise<Done> {
  const { format, query, columns, raw, template } = await context.settings();
  const isPlain = format === 'table' && !raw && [query, columns, template].every((one) => one === undefined);
  const isPerson = isPlain && family.name === 'customers' && operation.action === 'get';
  const action = isPerson ? ['show'] : operation.action.split(' ');
  context.notes.note(say`The same without a question: ${cops`${family.name.replaceAll('_', '-')} ${action} ${ids}`}`);
  if (isPerson) {
    const look = await openLook(context, {});
    return present(context, await personSheet(look, await look.item('customers', ids[0] ?? '')), {});
  }
  const input = { family, operation, words: ids, options: {}, filters: {}, typed: {} };
  return readItems(context, input, [ids], []);
}
