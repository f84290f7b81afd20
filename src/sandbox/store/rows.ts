import type { Database } from '../../base/database/types.js';

/* Where a search finds the rows of items without reading them. */

/** Rows of a customer's items, at most `most`. */
export function rowsOfCustomer(database: Database, kind: number, customer: string, most: number): number[] {
  const read = database.prepare('SELECT seq FROM items WHERE kind = ? AND customer = ? LIMIT ?');
  return read.all(kind, customer, most).map(([seq]) => seq as number);
}

/** The customer of the item in a row. */
export function customerOfRow(database: Database, seq: number): string | undefined {
  return (database.prepare('SELECT customer FROM items WHERE seq = ?').get(seq)?.[0] ?? undefined) as
    | string
    | undefined;
}

/** Rows of items whose id begins with a text. */
export function withId(database: Database, kind: number, beginning: string, most: number): number[] {
  const read = database.prepare('SELECT seq FROM items WHERE kind = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?');
  return read.all(kind, beginning, `${beginning}\u{10ffff}`, most).map(([seq]) => seq as number);
}

/** Rows among the newest `among` whose text contains a string, newest first. */
export function holding(database: Database, kind: number, piece: string, among: number, most: number): number[] {
  const read = database.prepare(
    `SELECT n.seq FROM (
       SELECT seq FROM items INDEXED BY items_order WHERE kind = ? ORDER BY created DESC, seq DESC LIMIT ?
     ) n CROSS JOIN items i ON i.seq = n.seq LEFT JOIN parts p ON p.id = i.part
     WHERE instr(lower(i.body || coalesce(p.text, '')), ?) > 0 LIMIT ?`,
  );
  return read.all(kind, among, piece, most).map(([seq]) => seq as number);
}
