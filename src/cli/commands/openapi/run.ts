import { dirname } from 'node:path';
import { checkTarget, writeGiven } from '../../../account/given-target.js';
import { CopsError, usage } from '../../../base/errors/errors.js';
import { makeFolder } from '../../../base/files/replace-file.js';
import { cops, say } from '../../../base/text/command-line.js';
import { allFamilies } from '../../../catalogue/index.js';
import type { Family } from '../../../catalogue/types.js';
import { itemsOf } from '../../../items/json/item-json.js';
import { compareDescriptions } from '../../../service/openapi/compare-descriptions.js';
import { descriptionFiles, readDocument } from '../../../service/openapi/description-files.js';
import { describedOperations, parseDescription } from '../../../service/openapi/document.js';
import { type JsonObject, objectAt } from '../../../service/openapi/schema.js';
import { type DescribedOperation, type PulledFacts, pathWithoutNames } from '../../../service/openapi/types.js';
import { familyOf } from '../../../service/openapi/unknown.js';
import type { Context, Done } from '../../../session/context/context.js';
import { bySubcommand, listOf, one } from '../../../session/context/run.js';
import { DESCRIPTION_REQUEST, readDescription } from '../../../session/read/service-description.js';

const OPERATION_COLUMNS = [
  { path: 'method' },
  { path: 'path' },
  { path: 'operation_id', title: 'operation' },
  { path: 'known', as: 'flag' as const },
  { path: 'dates', as: 'flag' as const },
  { path: 'summary' },
];

/**
 * `cops openapi pull`: stores the description for the profile, complete and validated; a failure leaves the old one.
 */
async function openapiPull(context: Context): Promise<Done> {
  const profile = await context.profile();
  const { world, options, notes } = context;
  if (options.dryRun) {
    const { dryRunResult } = await import('../../../session/write/dry-run.js');
    return dryRunResult(context, DESCRIPTION_REQUEST);
  }
  const files = descriptionFiles(context.configDir, profile.name.value);
  // The folder is ours, but a file's place may be taken by something else: report that before sending any request.
  makeFolder(dirname(files.document));
  const kept = Object.values(files).map((path) => ({
    ...{ path, typed: path, option: 'openapi pull' },
    ...{ own: context, mayBe: 'openapi/' },
  }));
  for (const target of kept) await checkTarget(target);
  const { text, from } = await readDescription(context);
  const document = parseDescription(text, from);
  const described = describedOperations(document, profile.walletWord.value);
  const families = await allFamilies();
  const facts = factsOf(described, families, profile.baseUrl.value, Math.floor(world.now() / 1000));
  const texts: Readonly<Record<string, string>> = {
    [files.document]: text,
    [files.facts]: `${JSON.stringify(facts)}\n`,
  };
  for (const target of kept) await writeGiven(target, texts[target.path] ?? '');
  notes.note(`Kept for profile ${profile.name.value}: ${files.document}`);
  notes.note(say`${cops`openapi check`} compares it with cops's own catalogue; ${cops`openapi show --raw`} prints it.`);
  const { title, version } = objectAt(document, 'info');
  return {
    result: one({
      profile: profile.name.value,
      base_url: profile.baseUrl.value,
      openapi: document.openapi,
      title: title ?? null,
      version: version ?? null,
      operations: described.length,
      new_operations: facts.unknown.length,
      lists_with_dates: Object.values(facts.dates).filter(Boolean).length,
      lists_without_dates: Object.values(facts.dates).filter((dated) => !dated).length,
      file: files.document,
    }),
  };
}

const keyOf = ({ method, path }: Pick<DescribedOperation, 'method' | 'path'>): string =>
  `${method} ${pathWithoutNames(path)}`;

function factsOf(
  described: readonly DescribedOperation[],
  families: readonly Family[],
  baseUrl: string,
  now: number,
): PulledFacts {
  const operations = families.flatMap((family) => family.operations);
  const known = new Set(operations.map(keyOf));
  const listed = new Set(
    operations.flatMap(({ list, path }) => (list && list.style !== 'search' ? [pathWithoutNames(path)] : [])),
  );
  const dates: Record<string, boolean> = {};
  for (const one of described) {
    const path = pathWithoutNames(one.path);
    if (one.method === 'GET' && listed.has(path)) dates[path] = one.dates;
  }
  return {
    format: 1,
    base_url: baseUrl,
    pulled_unix: now,
    dates,
    unknown: described.filter((one) => familyOf(one) !== undefined && !known.has(keyOf(one))),
  };
}

/** `cops openapi check`: the differences between the pulled description and the catalogue, as rows. */
async function openapiCheck(context: Context, options: { readonly strict?: boolean }): Promise<Done> {
  const { described } = await pulled(context);
  const differences = compareDescriptions(await allFamilies(), described);
  return {
    result: listOf(differences, ['difference', 'operation', 'field', 'cops', 'service', 'path'], 'operation'),
    finish: () => {
      const told = summary(differences.map((one) => one.difference));
      if (differences.length > 0 && options.strict) {
        return new CopsError('refused', `The description and cops differ: ${told}.`, {
          more: { differences: differences.length },
        });
      }
      context.notes.note(
        differences.length === 0 ? `No differences in ${described.length} operations.` : `Differences: ${told}.`,
      );
      return undefined;
    },
  };
}

function summary(kinds: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/** `cops openapi show [path | operation id | command]`: the operations of the pulled description, one in full, or all of it (`--raw`). */
async function openapiShow(context: Context, what: readonly string[]): Promise<Done> {
  const { described, document, text } = await pulled(context);
  if (context.options.raw) {
    if (what.length > 0) throw usage('--raw prints the whole description: name no operation.');
    return { result: { shape: 'text', text } };
  }
  const families = await allFamilies();
  const commands = new Map<string, string>();
  for (const family of families)
    for (const operation of family.operations)
      commands.set(keyOf(operation), `${family.name.replaceAll('_', '-')} ${operation.action}`);
  const commandOf = (one: DescribedOperation): string | undefined => commands.get(keyOf(one));
  const row = (one: DescribedOperation) => ({
    method: one.method,
    path: one.path,
    operation_id: one.operationId,
    command: commandOf(one) ?? null,
    known: commandOf(one) !== undefined,
    dates: one.dates,
    summary: one.summary,
  });
  const word = what.join(' ').trim();
  const rows = (of: readonly DescribedOperation[]): Done => ({
    result: { shape: 'list', items: itemsOf(of.map(row)), columns: OPERATION_COLUMNS, idField: 'path' },
  });
  if (word === '') return rows(described);
  const matches = described.filter(
    (one) =>
      one.operationId.toLowerCase() === word.toLowerCase() ||
      pathWithoutNames(one.path) === pathWithoutNames(word) ||
      one.path.split('/')[1] === word.replaceAll('-', '_') ||
      commandOf(one) === word,
  );
  const exact = matches.filter((one) => one.path.split('/')[1] !== word.replaceAll('-', '_'));
  const chosen = exact.length > 0 ? exact : matches;
  const [only] = chosen;
  if (!only) {
    throw usage(
      `The description has no operation "${word}".`,
      'Give a path (/subscriptions/{subscription_id}), an operation id, a family or command words; without one, all are listed.',
    );
  }
  if (chosen.length > 1) return rows(chosen);
  return { result: one({ ...row(only), description: operationText(document, only) }) };
}

/** The operation as in the document, found by its operation id or its path. */
function operationText(document: JsonObject, one: DescribedOperation): JsonObject {
  const method = one.method.toLowerCase();
  for (const [path, item] of Object.entries(objectAt(document, 'paths'))) {
    const operation = objectAt(item, method);
    const sameId = one.operationId !== '' && operation.operationId === one.operationId;
    if (sameId || path === one.path) return operation;
  }
  return {};
}

async function pulled(context: Context) {
  const profile = await context.profile();
  const text = readDocument(context.configDir, profile.name.value);
  if (text === undefined) {
    throw usage(
      `No description has been pulled for profile ${profile.name.value}.`,
      say`Fetch it: ${cops`openapi pull`}`,
    );
  }
  const files = descriptionFiles(context.configDir, profile.name.value);
  const document = parseDescription(text, files.document, true);
  return { text, document, described: describedOperations(document, profile.walletWord.value) };
}

export const run = bySubcommand<{ readonly strict?: boolean }>({
  pull: openapiPull,
  check: (context, { options }) => openapiCheck(context, options),
  show: (context, { words }) => openapiShow(context, words),
});
