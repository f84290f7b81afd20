import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CopsError, local, orLocal } from '../base/errors/errors.js';
import { type CommandLine, cops, joinedTexts, say, type Text } from '../base/text/command-line.js';
import { loadFamily } from '../catalogue/index.js';
import type { FamilyOperation } from '../catalogue/types.js';
import { looksLikeId } from '../catalogue/value-formats.js';
import { copy, lastKept, serialise, type TreeObject } from '../items/json/tree.js';
import { namedSum } from '../service/body/data-path.js';
import type { Context } from '../session/context/context.js';
import { type BodyReference, bodyReferences } from '../session/names/body-references.js';
import { idIn, type MeantByWord, resolveMany, unsettledLine } from '../session/names/many-names.js';
import { mayName } from '../session/names/order-parts.js';
import type { Named } from '../session/names/resolve-name.js';
import { takesLatest } from '../session/operation/spec.js';
import { fileSource, type RowSource } from './input.js';
import type { MapperOptions } from './map-row.js';
import { type RowItemsInput, rowItems, withItems } from './row-items.js';
import type { PlannedRow, RowRecord } from './types.js';

/** Rows to show one by one; a dry run shows all. */
const SHOWN_ROWS = 50;
/** Maximum number of unresolved rows listed. */
const LISTED_ROWS = 20;

export interface NamedRowsInput extends RowItemsInput {
  readonly job: NamedJob;
  /** The file in which the rows are stored as resolved writes. */
  readonly rowsPath: string;
  /** Skips rows whose names cannot be resolved, instead of refusing all rows. */
  readonly skips: boolean;
}

/** What decides the meaning of a run's names. */
export interface NamedJob extends FamilyOperation, Pick<MapperOptions, 'subject'> {
  /** True where each person's newest item is meant (`--latest`). */
  readonly latest?: boolean | undefined;
}

/** A name in a row, instead of an id. */
interface Word {
  readonly word: string;
  readonly family: string;
  set(id: string): void;
}

type Meanings = ReadonlyMap<string, ReadonlyMap<string, MeantByWord>>;

/** Finds rows with anything but an id in place of an id, or a sum whose currency their item must have. */
export function openRows({ operation, family }: FamilyOperation): (row: PlannedRow) => boolean {
  // Rows often share a body.
  const isOpenBody = lastKept(
    (body: TreeObject) => namedSum(body) !== undefined || bodyReferences(operation, body).some(isOpen),
  );
  return ({ ids: [first], body }) =>
    isOpenBody(body) ||
    (first !== undefined && !looksLikeId(first) && (idIn(first) !== undefined || mayName(family, first)));
}

/** A body with an id instead of each name, for checks that only know ids. */
export function withStandIns({ operation }: FamilyOperation, body: TreeObject): TreeObject {
  const references = bodyReferences(operation, body);
  if (!references.some(isOpen)) return body;
  const own = copy(body) as TreeObject;
  for (const { holder, at } of bodyReferences(operation, own).filter(isOpen)) Reflect.set(holder, at, 'A'.repeat(20));
  return own;
}

const isOpen = ({ word, family }: BodyReference): boolean => family !== undefined && !looksLikeId(word);

/**
 * Turns the names of all rows into ids, reading each family's list once, and stores the rows as resolved writes, so
 * that a resumed run means the same items. Shows what each name became. The error in `refused`, usage (2) or in live
 * mode stopped (12), lists the rows whose names match no item, or several. `named`: the names that were looked up.
 * `leftOut`: rows that are skipped, if requested. `refused`: the error to throw for them, unless skipping was
 * requested.
 */
export async function rowsByName(input: NamedRowsInput) {
  const { context, mapper, rowsPath, skips } = input;
  const byWord = await lookedUp(input);
  const source = withItems(input.source, await rowItems(input, await idsOfRows(input, byWord)));
  // What items hold may name something in its turn.
  const meanings = mapper.itemPaths.size > 0 ? await lookedUp({ ...input, source }, byWord) : byWord;
  const unsettled: UnsettledRow[] = [];
  const named = new Map<string, Named>();
  const says: Text[] = [];
  const [kept, leftOut] = [[] as string[], new Set<number>()];
  let line = 1;
  for await (const { row, words } of rowsWithWords({ ...input, source })) {
    for (const { word, family, set } of words) {
      const meant = meanings.get(family)?.get(word);
      const id = idIn(word);
      if (id !== undefined) {
        set(id);
        says.push(`line ${row.line}: "${word}" is read as ${id}`);
      } else if (meant && 'named' in meant) {
        set(meant.named.id);
        named.set(`${family} ${word}`, meant.named);
        says.push(`line ${row.line}: "${word}" is ${meant.named.id}${meant.named.label && ` (${meant.named.label})`}`);
      } else {
        leftOut.add(row.line);
        const none = {
          candidates: [],
          why: `can be the name of no item of ${family.replaceAll('_', '-')}`,
          stops: false,
        };
        unsettled.push({
          says: say`line ${row.line}: ${unsettledLine(word, meant ?? none)}`,
          stops: (meant ?? none).stops,
          several: (meant ?? none).candidates.length > 1 ? word : undefined,
        });
      }
    }
    if (leftOut.has(row.line)) continue;
    // Each write is on the line of its row, so that messages name the line of the input.
    kept.push(
      `${'\n'.repeat(Math.max(0, row.line - line))}${serialise({ ids: [...row.ids], body: row.body, read: row.read } as TreeObject)}\n`,
    );
    line = Math.max(line, row.line) + 1;
  }
  const isRefused = unsettled.length > 0 && (!skips || kept.length === 0);
  const refused = isRefused ? refusal(source, unsettled, input.job) : undefined;
  if (!refused) showRows(context, says);
  for (const { says: why } of refused ? [] : unsettled.slice(0, LISTED_ROWS)) context.notes.warn(say`Left out, ${why}`);
  await keep(kept, rowsPath);
  const rows = fileSource(rowsPath, 'jsonl', source.name);
  return { source: rows, named: [...named.values()], leftOut: leftOut.size, refused };
}

async function lookedUp(input: NamedRowsInput, known: Meanings = new Map()): Promise<Meanings> {
  const { context, reader, job } = input;
  const words = new Map<string, Set<string>>();
  for await (const row of rowsWithWords(input))
    for (const { word, family } of row.words)
      if (idIn(word) === undefined && !known.get(family)?.has(word))
        words.set(family, (words.get(family) ?? new Set()).add(word));
  const { mode, modeAssumed } = await context.profile();
  const options = {
    asker: reader,
    now: Math.floor((await context.now()) / 1000),
    isLive: mode.value === 'live' || modeAssumed,
    progress: (text: string) => context.notes.progress(text),
  };
  const meanings = new Map(known);
  if (job.latest && job.operation.preview?.refund && known.size === 0)
    context.notes.note(
      `--latest is each person's newest of ${job.family.name.replaceAll('_', '-')}: a newer payment for something else is passed over.`,
    );
  try {
    for (const [name, some] of words) {
      const family = await loadFamily(name);
      const latest = job.latest === true && name === job.family.name ? job.operation : undefined;
      const isOwn = name === job.family.name && job.operation.notWhile && job.operation.preview?.refund !== true;
      const openFor = isOwn ? job.operation : undefined;
      const found = await resolveMany(family, some, { ...options, latest, openFor });
      meanings.set(name, new Map([...(known.get(name) ?? []), ...found]));
    }
  } finally {
    context.notes.progressDone();
  }
  return meanings;
}

/** For each row that needs its item, for a value or for the currency of a sum: the item's id, by row number. */
async function idsOfRows(input: NamedRowsInput, meanings: Meanings): Promise<ReadonlyMap<number, string>> {
  const { job, mapper } = input;
  const ids = new Map<number, string>();
  for await (const { row, words } of rowsWithWords(input)) {
    if (mapper.itemPaths.size === 0 && !namedSum(row.body)) continue;
    let isOpen = false;
    for (const { word, family, set } of words) {
      const meant = meanings.get(family)?.get(word);
      const id = idIn(word) ?? (meant && 'named' in meant ? meant.named.id : undefined);
      if (id === undefined) isOpen = true;
      else set(id);
    }
    const id = job.subject ? row.body[job.subject.field] : row.ids[0];
    if (!isOpen && typeof id === 'string') ids.set(row.row, id);
  }
  return ids;
}

/** Rows as they are mapped, each with the names in it. */
async function* rowsWithWords({ job: { family, operation }, source, mapper, faults }: NamedRowsInput): AsyncIterable<{
  readonly row: PlannedRow;
  readonly words: readonly Word[];
}> {
  for await (const records of source.rows())
    for (const record of records) {
      if (faults.lines.has(record.line)) continue;
      const mapped = mapper.map(record);
      if ('faults' in mapped) throw local(`${source.name} changed during reading`, 'Nothing was sent.');
      const ids = [...mapped.row.ids];
      // Rows share bodies: a change to one goes into a copy.
      const body = copy(mapped.row.body) as TreeObject;
      const words: Word[] = [];
      const [first] = ids;
      if (first !== undefined && !looksLikeId(first))
        words.push({ word: first, family: family.name, set: (id) => ids.splice(0, 1, id) });
      for (const reference of bodyReferences(operation, body).filter(isOpen)) {
        const { holder, at, word, family: of = '' } = reference;
        words.push({ word, family: of, set: (id) => Reflect.set(holder, at, id) });
      }
      yield { row: { ...mapped.row, ids, body, read: mapper.computes ? valuesRead(record) : undefined }, words };
    }
}

function valuesRead({ item }: RowRecord): PlannedRow['read'] {
  const values = [...(item?.values ?? [])];
  return Object.fromEntries(values.flatMap(([path, one]) => ('value' in one ? [[path, one.value]] : [])));
}

/** A row whose names settle nothing. */
interface UnsettledRow {
  readonly says: Text;
  readonly stops: boolean;
  /** The name, where it may mean several items. */
  readonly several: string | undefined;
}

/** The line for the running ones of people with several, where the action ends or pauses what runs. */
function runningLine({ family, operation }: NamedJob, people: readonly string[]): CommandLine | undefined {
  const takesNothing = Object.keys(operation.body?.fields ?? {}).length === 0;
  const isFor = operation.notWhile?.includes('active') === false && takesNothing;
  const isShort = people.length > 0 && people.length <= LISTED_ROWS && people.every((one) => one.includes('@'));
  if (!isFor || !isShort) return undefined;
  const of = `customer.email=${people.join(',')}`;
  return cops`bulk ${family.name.replaceAll('_', '-')} ${operation.action} --where status=active --where ${of}`;
}

function refusal(source: RowSource, rows: readonly UnsettledRow[], job: NamedJob): CopsError {
  const { operation, latest } = job;
  const several = [...new Set(rows.flatMap((one) => one.several ?? []))];
  const running = runningLine(job, several);
  const listed = joinedTexts(
    [
      ...rows.slice(0, LISTED_ROWS).map(({ says }) => says),
      rows.length > LISTED_ROWS && `and ${rows.length - LISTED_ROWS} more`,
    ],
    '\n  ',
  );
  const canBeNewest = !latest && takesLatest(operation) && several.length > 0;
  const newest = canBeNewest ? ' Add --latest for the newest item of each person.' : '';
  const count = rows.length === 1 ? 'one row names' : `${rows.length} rows name`;
  return new CopsError(
    rows.some(({ stops }) => stops) ? 'stopped' : 'usage',
    `${source.name}: ${count} no item, or more than one: nothing was sent.`,
    {
      hint: say`  ${listed}\nCorrect them, give ids, or leave them out with --skip-unresolved.${newest}${running && say`\nOf those with several, only what is active: ${running}`}`,
    },
  );
}

function showRows({ notes, options }: Context, says: readonly Text[]): void {
  const most = options.dryRun || options.verbose ? says.length : SHOWN_ROWS;
  for (const one of says.slice(0, most)) notes.note(one);
  if (says.length > most) notes.note(`and ${says.length - most} more rows; --dry-run explains each.`);
}

async function keep(lines: readonly string[], path: string): Promise<void> {
  await orLocal(
    () => pipeline(Readable.from(lines), createWriteStream(path, { mode: 0o600, flush: true })),
    `cannot store the rows in ${path}`,
    'Nothing was sent.',
  );
}
