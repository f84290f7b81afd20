import { isAbsolute, join, resolve } from 'node:path';
import { FAMILY_INDEX, familyByCommand, loadFamily } from '../catalogue/index.js';
import type { Context } from '../cli/context.js';
import type { Done } from '../cli/job.js';
import { CopsError, usage } from '../errors/errors.js';
import { formatOf } from '../export/target.js';
import type { ExportReport } from '../export/types.js';
import { makePacer } from '../http/pacer.js';
import { Item } from '../json/item.js';
import { pathParameters } from '../request/plan.js';
import { inputOf, performExport } from './export.js';
import type { ExportOptions, SyncOptions } from './export-options.js';
import { wholeNumber } from './numbers.js';

const FIRST_SPAN = '1y';
const CONCURRENCY = 32;

/** What became of one list. */
interface Row {
  readonly family: string;
  readonly state: 'synced' | 'unproven' | 'not allowed' | 'not there' | 'failed';
  readonly added: number;
  readonly items: number;
  readonly requests: number;
  readonly why: string | null;
}

/**
 * `cops sync <folder | file.sqlite> [families...]`: brings copies of all lists (or the named ones) that the key may
 * read up to date, one after another, and tells what became of each.
 */
export async function syncCommand(context: Context, words: readonly string[], options: SyncOptions): Promise<Done> {
  if (context.options.dryRun) throw usage('cops sync reads many lists: --dry-run has no single request to show.');
  const [given, ...names] = words;
  if (given === undefined || given === '-')
    throw usage('Name a folder or a SQLite file to sync into.', 'For example: cops sync copies/');
  const sqlite = formatOf(given.replace(/[/\\]+$/, '')).format === 'sqlite' && !/[/\\]$/.test(given);
  if (sqlite && options.format !== undefined && options.format !== 'sqlite') throw usage('--format is for folders.');
  const out = isAbsolute(given) ? given : resolve(context.world.cwd, given);
  const families = names.length > 0 ? names.map(nameOf) : FAMILY_INDEX.map((entry) => entry.name);
  const { world } = context;
  const profile = await context.profile();
  const rate = context.options.rate ?? profile.rate.value;
  await context.transport(wholeNumber(options.concurrency, '--concurrency', 1, 256) ?? CONCURRENCY);
  const pacer = makePacer({
    now: () => world.now(),
    sleep: world.sleep,
    random: () => world.random(),
    ...(rate === undefined ? {} : { rate }),
  });
  const rows: Row[] = [];
  for (const name of families) {
    const family = await loadFamily(name);
    const operation = family.operations.find(({ action }) => action === 'list');
    if (!operation?.list || operation.list.style === 'search' || pathParameters(operation).length > 0) {
      if (names.length > 0) throw usage(`${name.replaceAll('_', '-')} has no list of its own.`);
      continue;
    }
    const windowed = operation.list.style === 'windowed';
    const typed: ExportOptions = {
      ...options,
      ...(windowed ? { from: options.from ?? FIRST_SPAN } : { from: undefined }),
      ...(windowed || sqlite ? {} : { refresh: undefined }),
      format: sqlite ? 'sqlite' : (options.format ?? 'jsonl'),
      sinceLast: true,
    };
    const target = sqlite ? out : `${join(out, name)}/`;
    const input = await inputOf(context, { family, operation, ids: [], filters: {} }, target, typed);
    rows.push(await rowOf(name, () => performExport(context, sqlite ? { ...input, label: name } : input, pacer)));
  }
  return {
    result: {
      shape: 'list',
      columns: ['family', 'state', 'added', 'items', 'requests', 'why'].map((path) => ({ path })),
      idField: 'family',
      items: (async function* () {
        for (const row of rows) yield Item.of(row);
      })(),
    },
    finish: () => outcome(rows),
  };
}

function nameOf(word: string): string {
  const entry = familyByCommand(word);
  if (!entry) throw usage(`There is no family "${word}".`, '`cops help` lists them.');
  return entry.name;
}

/** Runs one list; what only concerns that list does not stop the others. */
async function rowOf(family: string, run: () => Promise<ExportReport>): Promise<Row> {
  try {
    const { manifest, added } = await run();
    return {
      family,
      state: manifest.complete ? 'synced' : 'unproven',
      added,
      items: manifest.items,
      requests: manifest.requests,
      why: manifest.unproven[0] ?? null,
    };
  } catch (error) {
    const states: Readonly<Record<string, Row['state']>> = {
      not_authorised: 'not allowed',
      not_found: 'not there',
      refused: 'failed',
      service_failed: 'failed',
    };
    const state = error instanceof CopsError ? states[error.kind] : undefined;
    if (!state) throw error;
    return { family, state, added: 0, items: 0, requests: 0, why: (error as CopsError).message };
  }
}

function outcome(rows: readonly Row[]): CopsError | undefined {
  if (rows.length > 0 && rows.every(({ state }) => state === 'not allowed')) {
    return new CopsError('not_authorised', 'The key may read none of the lists.', {
      hint: 'Check which key is used: cops whoami.',
    });
  }
  const bad = rows.filter(({ state }) => state === 'failed' || state === 'unproven');
  if (bad.length === 0) return undefined;
  return new CopsError(
    'incomplete',
    `${bad.length} of ${rows.length} lists are not proven complete: ${bad.map(({ family }) => family).join(', ')}.`,
    {
      more: { lists: bad },
    },
  );
}
