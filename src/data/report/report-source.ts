import type { Database } from '../../base/database/types.js';
import { local } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { HOUR, isoTime } from '../../base/time/units.js';
import type { AgreedRows } from '../mirror/agreed-rows.js';
import { rawName } from '../mirror/layout.js';
import type { MirrorFacts } from '../mirror/mirror.js';
import type { ReachState } from '../mirror/reach.js';
import { familiesOf, textsOf } from '../mirror/views.js';
import type { ReportPeriod } from './period.js';
import type { ReportSource } from './report-document.js';

/** Seconds. A mirror that ends this shortly before the end of the period needs no note: its own time is enough. */
const JUST_NOW = HOUR / 4;

/**
 * The known facts about the data behind a report.
 * @throws CopsError `local` if the mirror has never held one of its families.
 */
export function reportSource(
  database: Database,
  facts: MirrorFacts,
  views: readonly string[],
  period: ReportPeriod,
  { reading, part }: { readonly reading?: AgreedRows | undefined; readonly part?: ReachState | undefined } = {},
): ReportSource {
  const families = familiesOf(views);
  const present = new Set(textsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table'"));
  const missing = families.filter((family) => !present.has(rawName(family)));
  if (missing.length > 0)
    throw local(
      `The mirror holds no ${missing.join(', ')}, but the report needs them.`,
      say`Sync it whole: ${cops`sync ${database.file}`}`,
    );
  const { incomplete, stale } = stateOf(database, facts, families, { period, part });
  return {
    mirror: database.file,
    mode: facts.mode,
    asOf: facts.asOf === undefined ? null : isoTime(facts.asOf),
    begins: facts.firstDay,
    incomplete: [...incomplete, ...(reading?.unproven ?? [])],
    stale,
    notes: [],
    readAgain: facts.asOf === undefined ? undefined : readAgainAt(database, families, facts.asOf),
    reading,
  };
}

/** When single lists or rows were last read after the mirror's end, if they were. */
function readAgainAt(database: Database, families: readonly string[], ends: number): string | undefined {
  const read = database.prepare('SELECT max(read_at) FROM _windows WHERE family IN (SELECT value FROM json_each(?))');
  const latest = Number(read.get(JSON.stringify(families))?.[0] ?? 0);
  return latest <= ends + 60 ? undefined : isoTime(latest);
}

/** What the figures hold from after the mirror's end. */
function restOf(database: Database, families: readonly string[], ends: number): string {
  const latest = readAgainAt(database, families, ends);
  return latest === undefined
    ? 'the figures lack the rest'
    : `the figures have only some of the rest, as single lists or rows were read up to ${latest}`;
}

function stateOf(
  database: Database,
  facts: MirrorFacts,
  families: readonly string[],
  { period, part }: { readonly period: ReportPeriod; readonly part: ReachState | undefined },
): Pick<ReportSource, 'incomplete' | 'stale'> {
  const incomplete: string[] = [];
  const stale: string[] = [];
  const states = new Map(
    database
      .prepare('SELECT family, state, why, read_at FROM _families')
      .all()
      .map(([family, state, why, at]) => [String(family), { state: String(state), why, at: Number(at) }]),
  );
  if (part) incomplete.push(...part.lacks);
  for (const family of part ? [] : families) {
    const known = states.get(family);
    if (!known) incomplete.push(`${family} was never read completely`);
    else if (known.state !== 'synced')
      incomplete.push(`${family} is ${known.state}${known.why === null ? '' : `: ${known.why}`}`);
  }
  const ages = part ? [part.readAt ?? []].flat() : families.flatMap((family) => states.get(family)?.at ?? []);
  const reached = [...ages, ...(facts.asOf === undefined ? [] : [facts.asOf])];
  const oldest = reached.length === 0 ? undefined : Math.min(...reached);
  if (oldest === undefined) incomplete.push('the mirror was never synced completely');
  else if (period.begins > oldest)
    incomplete.push(`the mirror ends ${isoTime(oldest)}, before the period begins (${isoTime(period.begins)})`);
  else if (period.ends - 1 > oldest + JUST_NOW)
    stale.push(`the mirror ends ${isoTime(oldest)}, before the period does: ${restOf(database, families, oldest)}`);
  if (facts.firstDay !== undefined && period.begins > 0 && period.begins < facts.firstDay)
    stale.push(`the mirror begins ${isoTime(facts.firstDay)}, after the start of the period`);
  return { incomplete, stale };
}
