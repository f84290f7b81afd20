import type { Item } from '../../json/item.js';
import type { Notes, Result } from '../../output/types.js';
import type { Selected } from '../../select/select.js';
import type { Chosen } from './selection.js';

/** Items as the line wants them, and what can be said of them at the end. */
export interface View {
  readonly items: AsyncIterable<Item>;
  readonly selected: Selected | undefined;
  /** True for rows of groups, which have columns of their own. */
  readonly rows: boolean;
}

/** The items themselves, or what was chosen among them. */
export async function viewOf(items: AsyncIterable<Item>, chosen: Chosen | undefined): Promise<View> {
  if (!chosen) return { items, selected: undefined, rows: false };
  const { newSelected, select } = await import('../../select/select.js');
  const selected = newSelected();
  const { selection, vocabulary, moment } = chosen;
  return {
    items: select(items, selection, vocabulary, moment, selected),
    selected,
    rows: selection.grouping !== undefined,
  };
}

/** The bare number of what fits, for `--count`. */
export async function counted({ items, selected }: View): Promise<Result> {
  for await (const _ of items);
  return { shape: 'text', text: `${selected?.matched ?? 0}\n` };
}

/** Says what was remarked on what was read. */
export function sayRemarks(notes: Notes, selected: Selected | undefined): void {
  for (const remark of selected?.remarks ?? []) notes.warn(remark);
  for (const quote of selected?.quotes ?? []) notes.quote ? notes.quote(quote) : notes.warn(quote);
}

/** Says how much of what was read fits and is shown. */
export function sayChosen(notes: Notes, selected: Selected, { selection }: Chosen): void {
  const number = new Intl.NumberFormat('en-US');
  const { read, matched, shown } = selected;
  sayRemarks(notes, selected);
  const what = selection.grouping ? 'groups' : 'that fit';
  const filtered = selection.where.length > 0 || selection.anyOf.length > 0;
  if (selected.stopped) {
    notes.warn(`${number.format(shown)} of more; --count tells. Use --all or a larger --limit for the rest.`, {});
  } else if (matched > shown) {
    const of = filtered || selection.grouping ? `${number.format(matched)} ${what}` : number.format(matched);
    notes.warn(`${number.format(shown)} of ${of}. Use --all or a larger --limit for the rest.`, { total: matched });
  } else if (shown === 0) {
    notes.note(read === 0 || !filtered ? 'No items.' : `No items: none of ${number.format(read)} fits.`);
  } else if (filtered && !selection.grouping) {
    notes.note(`${number.format(shown)} of ${number.format(read)} fit.`);
  }
}
