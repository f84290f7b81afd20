import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { Annex, Database } from '../../../base/database/types.js';
import { PAGE, putVarint, TablePages, varintLength } from './sqlite-pages.js';
import { TableRow } from './sqlite-records.js';
import { BoundRow } from './sqlite-rows.js';

/** The pages of the table of tables, and of the table's root. */
const [FIRST, ROOT] = [1, 2];
const LEAF = 0x0d;

/**
 * Rows on their way into a table: a SQLite file laid out without the engine, which then copies them. Passing it each
 * value takes ten times as long.
 */
export class RowFile {
  readonly row = new TableRow();
  /** The same row, which also keeps its values for a caller. */
  readonly seen = new BoundRow({ values: [], at: 0 }, this.row);
  readonly #pages = new TablePages(ROOT + 1);
  readonly #file: number;

  constructor(readonly annex: Annex) {
    rmSync(annex.file, { force: true });
    this.#file = openSync(annex.file, 'wx', 0o600);
  }

  /** Adds an encoded row. */
  add({ types, typesLength, body, bodyLength }: TableRow = this.row): undefined {
    this.#pages.add(types, typesLength, body, bodyLength);
    if (this.#pages.isFull) this.#append();
  }

  /** Copies the rows into a table, one column after the other; a row with the same first column is replaced. */
  copy(database: Database, table: string, columns: readonly string[]): void {
    const names = columns.map((_, i) => `c${i}`);
    try {
      const root = this.#pages.finish();
      this.#append();
      this.#write(root, ROOT);
      this.#write(firstPage(names, this.#pages.count), FIRST);
    } finally {
      this.close();
    }
    const { file, name } = this.annex;
    database.exec(`ATTACH '${file.replaceAll("'", "''")}' AS ${name}`);
    const set = columns.slice(1).map((column) => `${column} = excluded.${column}`);
    database.exec(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${names.join(', ')} FROM ${name}.t WHERE true ` +
        `ON CONFLICT (${columns[0]}) DO UPDATE SET ${set.join(', ')}`,
    );
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(): void {
    const { ready, count } = this.#pages;
    this.#write(ready, count + 1 - ready.length / PAGE);
    this.#pages.taken();
  }

  #write(bytes: Buffer, page: number): void {
    for (let at = 0; at < bytes.length; )
      at += writeSync(this.#file, bytes, at, bytes.length - at, (page - 1) * PAGE + at);
  }
}

/** The file's header and the table of tables, with one table (https://www.sqlite.org/fileformat2.html, 1.3 and 2.6). */
function firstPage(names: readonly string[], pages: number): Buffer {
  const page = Buffer.alloc(PAGE);
  page.write('SQLite format 3\0', 'latin1');
  page.writeUInt16BE(PAGE, 16);
  page.set([1, 1, 0, 64, 32, 32], 18);
  // The change, the version of the table of tables, the format, the encoding, the change again, the engine's version.
  const facts = { 24: 1, 28: pages, 40: 1, 44: 4, 56: 1, 92: 1, 96: 3_045_000 };
  for (const [at, value] of Object.entries(facts)) page.writeUInt32BE(value, Number(at));
  const row = new TableRow();
  row.begin(5, PAGE);
  for (const text of ['table', 't', 't']) row.text(text);
  row.whole(ROOT);
  row.text(`CREATE TABLE t(${names.join(',')})`);
  const header = row.typesLength + 1;
  const payload = header + row.bodyLength;
  const top = PAGE - varintLength(payload) - 1 - payload;
  let at = putVarint(page, putVarint(page, putVarint(page, top, payload), 1), header);
  at += row.types.copy(page, at, 0, row.typesLength);
  row.body.copy(page, at, 0, row.bodyLength);
  page[100] = LEAF;
  page.writeUInt16BE(1, 103);
  page.writeUInt16BE(top, 105);
  page.writeUInt16BE(top, 108);
  return page;
}
