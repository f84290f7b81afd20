import { join } from 'node:path';
import { usage } from '../base/errors/errors.js';
import type { CommandInput, Context, Done } from '../session/context/context.js';
import { applyPlan } from './apply-plan.js';
import { baseOf } from './compare-object.js';
import { type SetupEnvironment, snapshotOf, twoAccounts, wantedFamilies } from './environment.js';
import { type Families, loadFamilies, outside } from './families.js';
import { joinedFiles } from './joins.js';
import { holdingState, planOf } from './make-plan.js';
import { withReferred } from './open-folder.js';
import { withAddresses } from './plan-objects.js';
import { emptyState, readState, type StatePlace } from './recorded-state.js';
import type { SetupOptions } from './setup-options.js';
import { isId, isOfFamily, refuseTwins } from './snapshot.js';
import { differs, planResult } from './step-results.js';
import type { FileObject, Remote, Snapshot } from './types.js';

/** Presents objects of an environment as if they came from files. */
export function asFiles(objects: Iterable<Remote>, from: Snapshot): Map<string, FileObject> {
  const files = new Map<string, FileObject>();
  for (const { address, managed, key, shape, item: read } of objects) {
    const file = address;
    const item = withAddresses(from, read);
    files.set(address, { address, managed, key, file, shape, item, placeOf: () => ({ file, line: 1, column: 1 }) });
  }
  return files;
}

/** `cops setup diff --from … --to …`: the changes that would make the second like the first. Only GETs. */
export async function diffCommand(context: Context, words: readonly string[], typed: SetupOptions): Promise<Done> {
  const { names, options } = await placesAmong(context, words, typed, { from: 'test', to: 'live' });
  const [from, to] = await twoAccounts(context, options);
  const families = await loadFamilies();
  const wanted = wantedFamilies(families, names);
  const compared = names.length === 0 ? `${wanted.size} families` : [...wanted].join(', ');
  const others = names.length === 0 ? `what set-ups cannot hold: ${outside(families)}` : 'any other family';
  context.notes.note(
    `Compared: every object of ${compared}. Not compared: keys and passwords, which no answer shows, addresses of ` +
      `pictures, which each account hosts separately (their file names and sizes are compared), nor ${others}.`,
  );
  const source = await snapshotOf(from, families, wanted);
  // Nothing is recorded for this comparison, so every difference counts.
  const state = emptyState();
  const target = await snapshotOf(to, families, wanted);
  refuseSameNames(from, source, (address) => isOfFamily(wanted, address));
  refuseSameNames(to, target, (address) => isOfFamily(wanted, address));
  for (const [address, remote] of target.objects) state.base[address] = baseOf(remote.shape);
  const place = { folder: '', environment: to.environment };
  const files = asFiles(source.objects.values(), source);
  const sharedIds = sharedOf(source, target);
  const all = { families, wanted, files, place, state, snapshot: target, sharedIds, from: from.environment };
  const { plan } = await planOf(to, all, { ...options, shared: true });
  const only = [...target.objects.keys()].filter((address) => !source.objects.has(address));
  const notes = only.map((address) => `${address}: only in ${to.name}`);
  const counts = [
    only.length > 0 ? `, ${only.length} only in ${to.name}` : '',
    plan.cannot.length > 0 ? `, ${plan.cannot.length} cannot be set` : '',
  ].join('');
  const shown = { ...plan, notes: [...plan.notes, ...notes] };
  const result = await planResult(context, shown, options.markdown === true, counts, names);
  if (result?.shape !== 'text' && counts !== '') context.notes.warn(`${plan.summary}${counts}.`);
  return { result, finish: () => differs(shown, result, only.length) };
}

/**
 * Reads `acme:test acme:live` before the families as `--from acme:test --to acme:live`.
 * @param unsaid the default where the command line names neither; a note says so
 */
async function placesAmong(
  context: Context,
  words: readonly string[],
  options: SetupOptions,
  unsaid: Pick<SetupOptions, 'from' | 'to'> = {},
): Promise<{ readonly names: readonly string[]; readonly options: SetupOptions }> {
  const [from, to, ...names] = words;
  const named = options.from !== undefined || options.to !== undefined;
  const isSaid = named || !isPlace(from) || !isPlace(to);
  const said = named || isPlace(from) ? options : { ...options, ...unsaid };
  const whole = await wholePlaces(context, isSaid ? said : { ...options, from, to });
  return { names: isSaid ? words : names, options: whole };
}

const isPlace = (word: string | undefined): boolean => word !== undefined && /^(?:[^:]+:)?(?:test|live)$/i.test(word);

/** Puts the profile in use before a bare mode: `live` becomes `acme:live`. */
async function wholePlaces(context: Context, options: SetupOptions): Promise<SetupOptions> {
  const whole: Partial<Record<'from' | 'to', string>> = {};
  for (const side of ['from', 'to'] as const) {
    const given = options[side]?.toLowerCase();
    if (given !== 'test' && given !== 'live') continue;
    const { name } = await context.profile();
    whole[side] = `${name.value}:${given}`;
    context.notes.note(`${given} is read as ${whole[side]}.`);
  }
  return { ...options, ...whole };
}

/** `cops setup promote --from … --to …`, or with the two environments as arguments. */
export async function promoteCommand(context: Context, words: readonly string[], typed: SetupOptions): Promise<Done> {
  const { names, options } = await placesAmong(context, words, typed);
  const { to } = options;
  const { mode } = context.options;
  // A mode on the command line is taken as that of the environment to write.
  if (mode !== undefined && to !== undefined && !to.endsWith(`:${mode}`))
    throw usage(`--${mode} contradicts --to ${to}, the environment to write.`);
  return promote(context, options, async (from, families) => {
    const wanted = wantedFamilies(families, names);
    const source = await snapshotOf(from, families, wanted);
    return { source, objects: [...source.objects.values()], wanted };
  });
}

/** `cops products copy <id> --to …`: one object with everything it refers to. */
export async function copyObject(
  context: Context,
  { family, words, options: typed }: CommandInput<SetupOptions>,
): Promise<Done> {
  // An environment after the objects is the target, as with a promotion.
  const last = words.length > 1 && typed.to === undefined ? words.at(-1) : undefined;
  const isTo = isPlace(last);
  const ids = isTo ? words.slice(0, -1) : words;
  const options = await wholePlaces(context, isTo ? { ...typed, to: last } : typed);
  const from = options.from ?? (await environmentInUse(context));
  return promote(context, { ...options, from }, async (account, families) => {
    const source = await snapshotOf(account, families, new Set(families.managed.keys()));
    const objects = withReferred(source, family.replaceAll('_', '-'), ids);
    const own = objects.map(({ managed }) => managed.name);
    const groups = objects.flatMap(({ managed }) => Object.values(managed.family.joins ?? {}));
    const wanted = new Set([...own, ...groups.map((join) => join.family.replaceAll('_', '-'))]);
    return { source, objects, wanted, partial: true };
  });
}

async function environmentInUse(context: Context): Promise<string> {
  const { name, mode } = await context.profile();
  return `${name.value}:${mode.value}`;
}

interface Chosen {
  readonly source: Snapshot;
  readonly objects: readonly Remote[];
  readonly wanted: ReadonlySet<string>;
  /**
   * Only some objects of their families: lists that contain them come along, and the others do not count as missing.
   */
  readonly partial?: boolean;
}

async function promote(
  context: Context,
  options: SetupOptions,
  choose: (from: SetupEnvironment, families: Families) => Promise<Chosen>,
): Promise<Done> {
  const [from, to] = await twoAccounts(context, options);
  const families = await loadFamilies();
  const place: StatePlace = { folder: join(context.dataDir, 'setup'), environment: to.environment };
  return holdingState(place, to, async () => {
    const { source, objects, ...chosen } = await choose(from, families);
    const addresses = new Set(objects.map(({ address }) => address));
    refuseSameNames(from, source, (address) => addresses.has(address));
    const state = await readState(place);
    const snapshot = await snapshotOf(to, families, chosen.wanted);
    const files = asFiles(objects, source);
    if (chosen.partial) for (const file of joinedFiles(files, source, snapshot)) files.set(file.address, file);
    const sharedIds = sharedOf(source, snapshot);
    const sources = { ...chosen, families, files, place, state, snapshot, sharedIds, from: from.environment };
    return applyPlan(to, await planOf(to, sources, options), options);
  });
}

/** Refuses two objects with one name, because neither can stand for the other. @throws CopsError usage (2) */
function refuseSameNames({ name }: SetupEnvironment, snapshot: Snapshot, isMeant: (address: string) => boolean): void {
  refuseTwins(snapshot, isMeant, `Rename one of each in ${name}, or name the families you mean.`);
}

/** Ids that the keys of both environments see. */
function sharedOf(one: Snapshot, other: Snapshot): ReadonlySet<string> {
  const ids = new Set([...other.objects.values()].map(({ id }) => id));
  return new Set([...one.objects.values()].map(({ id }) => id).filter((id) => isId(id) && ids.has(id)));
}
