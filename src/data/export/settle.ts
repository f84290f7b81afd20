import { wrongOption } from '../../base/errors/errors.js';
import { schemaOf } from '../../items/schema/catalogue.js';
import { ItemLearner, widenAll } from '../../items/schema/learn.js';
import type { Schema } from '../../items/schema/types.js';
import type { SampledItems } from './chosen-columns.js';
import { readManifest } from './export-journal.js';
import { EXPORT_TRAITS } from './formats.js';
import { joinLate, withLate } from './late-fields.js';
import { isSchema } from './learnt.js';
import { PageReader } from './page.js';
import type { ExportDeps, ExportInput, Manifest } from './types.js';

/** Items of the sample that are looked at. */
const SAMPLE_ITEMS = 250;

/** Whether rows of the format have columns that must be known before the first row. */
export function hasColumns(input: Pick<ExportInput, 'format' | 'columns'>): boolean {
  const { wholeItems, chosenColumns } = EXPORT_TRAITS[input.format];
  return !wholeItems && (input.columns === undefined || !chosenColumns);
}

/**
 * The columns of a run: unchanged from the export that it copies or appends to; otherwise those that the catalogue and
 * the profile know, plus what the first pages show.
 */
export async function settle(
  input: ExportInput,
  deps: ExportDeps,
  base: Manifest | undefined,
  sample: () => Promise<readonly Buffer[]>,
): Promise<Schema> {
  if (input.schema) return input.schema;
  if (base?.schema && base.layout === 'lines') return base.schema;
  const learnt = await deps.learnt?.read(listName(input));
  const known = widenAll(widenAll(schemaOf(input.family), base?.schema ?? []), learnt ?? []);
  return (await sampled(input, sample, known)).schema;
}

/** A schema widened by what the first items show. */
export async function sampled(
  { family }: Pick<ExportInput, 'family'>,
  sample: () => Promise<readonly Buffer[]>,
  known: Schema = [],
): Promise<SampledItems> {
  let schema = known;
  const reader = new PageReader(family.idField);
  const learner = new ItemLearner();
  let count = 0;
  for (const lines of await sample()) {
    reader.readLines(lines);
    for (let i = 0; i < reader.count && count < SAMPLE_ITEMS; i++, count++)
      schema = widenAll(schema, learner.learn(lines.subarray(reader.starts[i], reader.ends[i])));
  }
  return { schema, count };
}

/** Adds what a finished export saw to the profile's knowledge. */
export async function remember(input: ExportInput, deps: ExportDeps, manifest: Manifest): Promise<void> {
  if (!manifest.schema) return;
  await deps.learnt?.keep(listName(input), withLate(manifest.schema, joinLate([manifest.late])));
}

function listName({ family, operation }: Pick<ExportInput, 'family' | 'operation'>): string {
  return operation.action === 'list' ? family.name : `${family.name}-${operation.action}`;
}

/** The columns of all these manifests (`--schema`), if any. @throws CopsError usage (2) for a file without columns */
export async function schemaFrom(paths: readonly string[]): Promise<Schema | undefined> {
  const found: Schema[] = [];
  for (const path of paths) {
    const manifest = await readManifest(path);
    if (!manifest) throw wrongOption('--schema', `there is no manifest at ${path}.`);
    if (!manifest.schema || !isSchema(manifest.schema)) {
      throw wrongOption(
        '--schema',
        `${path} has no columns.`,
        'Only exports to csv, tsv, xlsx, parquet and sqlite have columns.',
      );
    }
    found.push(manifest.schema);
  }
  return found.length > 0 ? found.reduce(widenAll) : undefined;
}
