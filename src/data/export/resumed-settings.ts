import { usage } from '../../base/errors/errors.js';
import { EXPORT_TRAITS } from './formats.js';
import type { ExportFacts, ExportInput, Manifest, ProfileFacts } from './types.js';

/** The settings that must not change between runs. */
export interface Settings extends ExportFacts {
  readonly shard: string | null;
  readonly from: readonly [text: string, unix: number] | null;
  readonly to: readonly [text: string, unix: number] | null;
  readonly since_last: boolean;
  readonly refresh: number | null;
}

const FACT_NAMES: Readonly<Record<keyof ExportFacts, string>> = {
  family: 'the family',
  action: 'the list',
  path: 'the path',
  base_url: 'the base URL',
  mode: 'the mode',
  key: 'the key',
  format: '--format',
  gzip: '--gzip',
  csv_safe: '--csv-safe',
  columns: '--columns',
  times: '--times or the zone',
  excel: '--excel',
  filters: 'the filters',
  page_size: '--page-size',
};

const NAMES: Readonly<Record<keyof Settings, string>> = {
  ...FACT_NAMES,
  shard: '--shard',
  from: '--from',
  to: '--to',
  since_last: '--since-last',
  refresh: '--refresh',
};

export const FACTS = Object.keys(FACT_NAMES) as readonly (keyof ExportFacts)[];

export function factsOf(input: ExportInput, profile: ProfileFacts): ExportFacts {
  return {
    family: input.family.name,
    action: input.operation.action,
    path: pathOf(input),
    base_url: profile.baseUrl,
    mode: profile.mode,
    key: profile.fingerprint,
    format: input.format,
    gzip: input.gzip,
    csv_safe: input.csvSafe,
    columns: input.columns ?? null,
    times: timesOf(input),
    excel: input.excel ?? null,
    filters: input.filters,
    page_size: input.pageSize,
  };
}

export function settingsOf(input: ExportInput, profile: ProfileFacts): Settings {
  return {
    ...factsOf(input, profile),
    shard: shardText(input.shard),
    from: input.from ? [input.from.text, input.from.unix] : null,
    to: input.to ? [input.to.text, input.to.unix] : null,
    since_last: input.sinceLast,
    refresh: input.refresh ?? null,
  };
}

/** The settings in a manifest; missing ones are taken from the present run. */
export function settingsFrom(manifest: Manifest, present: Settings): Settings {
  const told = FACTS.filter((name) => manifest[name] !== undefined).map((name) => [name, manifest[name]]);
  return { ...present, ...Object.fromEntries(told), shard: shardText(manifest.shard) };
}

function shardText(shard: Manifest['shard'] | undefined): string | null {
  return shard ? `${shard.index}/${shard.count}` : null;
}

/** How an export shows moments: `unix`, a zone, or null for formats with a type for them. */
export function timesOf(input: Pick<ExportInput, 'format' | 'times' | 'tz'>): string | null {
  if (!EXPORT_TRAITS[input.format].timesAsTold) return null;
  return input.times === 'unix' ? 'unix' : (input.tz ?? 'UTC');
}

/** The list's path with its ids filled in. */
export function pathOf(input: Pick<ExportInput, 'operation' | 'params'>): string {
  return input.operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = input.params[name];
    if (value === undefined || value === '') throw usage(`The list needs ${name}.`);
    return encodeURIComponent(value);
  });
}

/**
 * The differing options in words: `--columns was a,b and is a`. The words for a moment may stay the same while the
 * moment moves.
 */
export function differences(before: Settings, after: Settings): string[] {
  const found: string[] = [];
  for (const name of Object.keys(NAMES) as (keyof Settings)[]) {
    const was = before[name];
    const is = after[name];
    if ((name === 'from' || name === 'to') && was !== null && is !== null) {
      const [wasText, wasUnix] = was as readonly [string, number];
      const [isText, isUnix] = is as readonly [string, number];
      if (wasText !== isText && wasUnix !== isUnix) found.push(`${NAMES[name]} was ${wasText} and is ${isText}`);
    } else if (JSON.stringify(was) !== JSON.stringify(is)) {
      found.push(
        name === 'key' ? 'the key is a different one' : `${NAMES[name]} was ${words(was)} and is ${words(is)}`,
      );
    }
  }
  return found;
}

function words(value: unknown): string {
  if (value === null) return 'not given';
  if (value === true) return 'on';
  if (value === false) return 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
