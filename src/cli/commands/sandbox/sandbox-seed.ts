import { usage } from '../../../base/errors/errors.js';
import { familyByCommand, loadFamily } from '../../../catalogue/index.js';
import type { Operation } from '../../../catalogue/types.js';
import { bodyFaults, plainTree } from '../../../items/checks/body-faults.js';
import { SEED_FORMAT, type SeedFile } from '../../../items/checks/seed-shape.js';
import type { PlacedFault } from '../../../items/checks/shape-faults.js';
import { isObject, pathText, type Tree, type TreeObject } from '../../../items/json/tree.js';
import { readText } from '../../../service/body/gather.js';
import { type ReadYaml, readYaml, YamlFault } from '../../../service/body/parse-yaml.js';
import type { Context, Done } from '../../../session/context/context.js';
import { type Opener, sayTried, withSandbox } from '../../../session/context/opened-sandbox.js';
import { jsonText, listOf } from '../../../session/context/run.js';
import { inputOf } from '../../../session/write/body-input.js';
import type { SandboxCommandOptions } from './spec.js';

/** `cops sandbox seed <file.yaml>`: creates the objects that the file names; existing ones stay. */
export async function sandboxSeed(
  context: Opener & Pick<Context, 'notes'>,
  file: string | undefined,
  options: SandboxCommandOptions,
): Promise<Done> {
  if (options.schema) return { result: jsonText(SEED_FORMAT.schema()) };
  if (file === undefined) throw usage('sandbox seed needs a file.', 'Its format: cops sandbox seed --schema');
  const { seed, placeOf } = await readSeedFile(context, file);
  const [{ catchUp }, { makePresent, UnfitEntry }] = await Promise.all([
    import('../../../sandbox/serve/index.js'),
    import('../../../sandbox/trigger/index.js'),
  ]);
  const facts = { live: context.options.mode === 'live', random: () => context.world.random() };
  const made = async (opened: Parameters<typeof makePresent>[0]) => {
    await catchUp(opened);
    try {
      return await makePresent(opened, seed, facts);
    } catch (error) {
      if (!(error instanceof UnfitEntry)) throw error;
      const { kind, message, facts: more } = error;
      throw new UnfitEntry(error.entry, { kind, message: `${placeOf(error.entry)}: ${message}`, facts: more });
    }
  };
  // All of a file or nothing: a trial run finds what the rules refuse, and keeps nothing.
  await withSandbox({ ...context, options: { ...context.options, dryRun: true } }, made);
  return withSandbox(context, async (opened) => {
    const rows = await made(opened);
    sayTried(context);
    return { result: listOf(rows, ['family', 'name', 'outcome', 'id'], 'id') };
  });
}

interface ReadSeed {
  readonly seed: SeedFile;
  /** `shop.yaml:4:3` */
  placeOf(path: readonly (string | number)[]): string;
}

/** @throws CopsError `usage` with all faults in the file, by line and column */
async function readSeedFile(context: Pick<Context, 'world'>, file: string): Promise<ReadSeed> {
  const shown = file === '-' ? 'standard input' : file;
  const read = await readYaml(await readText(inputOf(context.world), file)).catch((cause: unknown) => {
    if (cause instanceof YamlFault) throw usage(`${shown}: ${cause.message}.`);
    throw cause;
  });
  const checked = SEED_FORMAT.check(plainTree(read.value));
  const faults = 'faults' in checked ? checked.faults : await fieldFaults(read);
  const placeOf: ReadSeed['placeOf'] = (path) => {
    const { line, column } = read.placeOf(path);
    return `${shown}:${line}:${column}`;
  };
  if ('content' in checked && faults.length === 0) return { seed: checked.content, placeOf };
  const placed = faults.map(({ path, message }) => ({ path: placeOf(path), message: `${pathText(path)}: ${message}` }));
  const lines = placed.map(({ path, message }) => `  ${path}: ${message}`);
  throw usage(
    `${shown} has faults, so nothing was done:\n${lines.join('\n')}`,
    'Its format: cops sandbox seed --schema',
    placed,
  );
}

/** For each family, the fields of its entries besides those of its create, and where the create's fields lie. */
const ENTRIES = {
  products: { own: ['subscription_profile'], into: [] },
  customers: { own: ['state'], into: ['customer'] },
  sales: { own: ['state', 'customer', 'products'], into: [] },
  subscriptions: { own: ['state', 'customer', 'product'], into: [] },
} as const;

/** Faults in fields: an entry takes only those that the catalogue knows. */
async function fieldFaults({ value }: ReadYaml): Promise<PlacedFault[]> {
  const faults: PlacedFault[] = [];
  for (const [family, { own, into }] of Object.entries(ENTRIES)) {
    const operation = await creating(family === 'subscriptions' ? 'sales' : family);
    const entries = (value as TreeObject)[family];
    for (const [name, entry] of Object.entries(isObject(entries) ? entries : {})) {
      const fields = Object.fromEntries(
        Object.entries(entry as TreeObject).filter(([field]) => !(own as readonly string[]).includes(field)),
      );
      faults.push(...(await faultsWithin(operation, fields, into, [family, name])));
    }
    if (family === 'products') faults.push(...(await profileFaults(entries)));
  }
  return faults;
}

async function profileFaults(entries: Tree | undefined): Promise<PlacedFault[]> {
  const operation = await creating('subscription_profiles');
  const faults: PlacedFault[] = [];
  for (const [name, entry] of Object.entries(isObject(entries) ? entries : {})) {
    const profile = (entry as TreeObject).subscription_profile;
    if (!isObject(profile)) continue;
    faults.push(...(await faultsWithin(operation, profile, [], ['products', name, 'subscription_profile'])));
  }
  return faults;
}

async function faultsWithin(
  operation: Operation,
  fields: TreeObject,
  into: readonly string[],
  path: readonly string[],
): Promise<PlacedFault[]> {
  const [below] = into;
  const { faults } = await bodyFaults(operation, below === undefined ? fields : { [below]: fields });
  const places = new Map(placesOf(fields).map((place) => [pathText([...into, ...place]), place]));
  // Missing fields are not faults: defaults fill them in, and the service reports anything else it needs.
  return faults.flatMap(({ path: text, message }) => {
    const place = places.get(text);
    return place === undefined ? [] : [{ path: [...path, ...place], message }];
  });
}

/** The paths of all values inside a value. */
function placesOf(value: Tree): (string | number)[][] {
  if (Array.isArray(value)) return value.flatMap((one, at) => [[at], ...placesOf(one).map((rest) => [at, ...rest])]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [[name], ...placesOf(one).map((rest) => [name, ...rest])]);
}

/** The create of a family, with unknown fields refused: a file that people share must have no misspelt ones. */
async function creating(name: string): Promise<Operation> {
  const family = await loadFamily(familyByCommand(name)?.name ?? name);
  const operation = family.operations.find(({ action }) => action === 'create') as Operation;
  return {
    ...operation,
    body: { ...operation.body, fields: operation.body?.fields ?? {}, closed: true, complete: true },
  };
}
