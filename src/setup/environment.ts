import { isAbsolute } from 'node:path';
import { CopsError, stopped, unless, usage, wrongOption } from '../base/errors/errors.js';
import { typedPath } from '../base/files/typed-path.js';
import { inParallel } from '../base/in-parallel.js';
import { cops, copsLine, say } from '../base/text/command-line.js';
import type { TimeRange } from '../base/time/range.js';
import { withServiceClock } from '../bulk/service-time.js';
import type { Family, Operation } from '../catalogue/types.js';
import { stripEnvelope } from '../items/json/item-json.js';
import { JsonSyntaxFault, parseJson } from '../items/json/parse-json.js';
import { isObject, type TreeObject } from '../items/json/tree.js';
import { Meter } from '../screen/meter.js';
import { newReport, readList, wholePlan } from '../service/lists/read-list.js';
import { cutWindows } from '../service/lists/windows.js';
import { planRequest } from '../service/request/request-plan.js';
import type { Context } from '../session/context/context.js';
import { DEFAULTS } from '../session/context/spec.js';
import { wholeNumber } from '../session/context/typed-words.js';
import { beginningOf, firstDayOf } from '../session/read/first-day.js';
import { openReader, pager, type Reader } from '../session/read/reading.js';
import { reasonOf } from '../session/write/prepared-write.js';
import type { Families } from './families.js';
import type { SetupOptions } from './setup-options.js';
import { type AccountReader, idOf, readSnapshot } from './snapshot.js';
import type { Environment, Snapshot } from './types.js';

const PAGES_AHEAD = 4;

/**
 * An environment that a command works on. `clock`: the service's clock, learned from its answers. `name`: `acme:live`.
 * `reason`: `--reason`, for every step.
 */
export type SetupEnvironment = Awaited<ReturnType<typeof openAccount>>;

/** Opens an environment: the one of the command line, or another. */
export async function openAccount(
  plain: Context,
  { concurrency, firstDay, reason: given }: Pick<SetupOptions, 'concurrency' | 'firstDay' | 'reason'>,
) {
  const reason = reasonOf(given, plain.notes);
  const most = wholeNumber(concurrency, '--concurrency', 1, 64) ?? DEFAULTS.setupConcurrency;
  const { context, clock } = withServiceClock(plain);
  const profile = await context.profile();
  await context.transport(most);
  const reader = await openReader(context);
  const now = Math.floor((await context.now()) / 1000);
  const environment: Environment = {
    profile: profile.name.value,
    mode: profile.mode.value,
    base_url: profile.baseUrl.value,
    fingerprint: profile.fingerprint,
  };
  const name = `${environment.profile}:${environment.mode}`;
  let begun: Promise<number> | undefined;
  const beginning = () => {
    begun ??= firstDayOf(context, firstDay).then(({ from, told }) => {
      context.notes.detail(`${name}: reading set-up from a year before ${told}`);
      return beginningOf('set-up', from);
    });
    return begun;
  };
  const account = accountReader(reader, now, beginning);
  return { context, clock, reader, environment, name, account, concurrency: most, reason };
}

/** The context of `profile:mode`. @throws CopsError usage (2) for another spelling */
export function environmentContext(context: Context, text: string, option: string): Context {
  const match = /^(.+):(test|live)$/.exec(text);
  if (!match) {
    const profile = context.options.profile ?? context.world.env.COPS_PROFILE ?? '<profile>';
    const meant = text === 'test' || text === 'live' ? `${profile}:${text}` : `${text.split(':')[0]}:test`;
    throw wrongOption(option, `"${text}" is not profile:test or profile:live.`, `Did you mean ${option} ${meant}?`);
  }
  return context.inEnvironment(match[1] ?? '', match[2] as 'test' | 'live');
}

/**
 * The two environments of a command line. @throws CopsError usage (2) when one is missing, stopped (12) when both are
 * the same
 */
export async function twoAccounts(
  context: Context,
  options: Pick<SetupOptions, 'from' | 'to' | 'concurrency' | 'reason'>,
): Promise<readonly [from: SetupEnvironment, to: SetupEnvironment]> {
  const { from, to } = options;
  if (from === undefined || to === undefined)
    throw usage(
      'Name two environments: --from <profile:mode> and --to <profile:mode>.',
      say`For the profile in use: ${copsLine([...context.world.argv, '--from', 'test', '--to', 'live'])}`,
    );
  refuseThird(context, from, to);
  const { concurrency, reason } = options;
  const first = await openAccount(environmentContext(context, from, '--from'), { concurrency });
  const second = await openAccount(environmentContext(context, to, '--to'), { concurrency, reason });
  if (first.environment.fingerprint === second.environment.fingerprint) {
    throw stopped(
      `${first.name} and ${second.name} use the same key: nothing was sent`,
      say`Give each environment its own key (${cops`profiles list`}), and unset COPS_API_KEY.`,
    );
  }
  return [first, second];
}

/** Refuses options that the two environments would silently override. @throws CopsError usage (2) */
function refuseThird({ options: { profile, mode, baseUrl, sendKeyTo } }: Context, from: string, to: string): void {
  const named = `--from ${from} and --to ${to} name the environments`;
  if (baseUrl !== undefined || sendKeyTo !== undefined) {
    throw usage(
      `${named}, each with the address of its profile: ${baseUrl === undefined ? '--send-key-to' : '--base-url'} cannot be meant for one of them.`,
      'Store the other address as a separate profile.',
    );
  }
  const [profiles, modes] = [0, 1].map((part) => [from, to].map((place) => place.split(':')[part]));
  if (profile !== undefined && !profiles?.includes(profile)) throw usage(`${named}, and -p ${profile} is neither.`);
  if (mode !== undefined && !modes?.includes(mode)) throw usage(`${named}, and --${mode} is not the mode of either.`);
}

function accountReader(reader: Reader, now: number, beginning: () => Promise<number>): AccountReader {
  return {
    async list(family, list, { whole = false } = {}) {
      const { style, spanDays = 90 } = list.list ?? {};
      const from = style === 'windowed' && !whole ? await beginning() : OLDEST;
      const ranges = style === 'windowed' ? cutWindows({ from: Math.min(from, now), to: now }, spanDays) : [undefined];
      const items = new Map<string, TreeObject>();
      const unproven: string[] = [];
      await inParallel(ranges, PAGES_AHEAD, async (range) => {
        const read = await readRange(reader, family, list, range);
        unproven.push(...read.unproven);
        // Windows that share a second show its items twice.
        for (const item of read.items) items.set(idOf(family, item) ?? `${items.size}`, item);
      });
      return { items: [...items.values()], unproven: [...new Set(unproven)] };
    },
    async item(family: Family, get: Operation, id: string | undefined) {
      const request = planRequest(family, get, { ids: id === undefined ? [] : [id] });
      const text = await reader.answer(request).catch(unless('not_found'));
      return text === undefined ? undefined : treeOf(stripEnvelope(text));
    },
  };
}

/** No account is older than this, so names are looked up from here before an object is created. */
const OLDEST = Date.UTC(2012, 0, 1) / 1000;

async function readRange(
  reader: Reader,
  family: Family,
  list: Operation,
  range: TimeRange | undefined,
): Promise<{ items: readonly TreeObject[]; unproven: readonly string[] }> {
  const report = newReport();
  const plan = wholePlan(list.list, range && [range], PAGES_AHEAD);
  const items: TreeObject[] = [];
  try {
    const base = planRequest(family, list, { ids: [] });
    for await (const page of readList(plan, pager(reader, base, family.idField), report))
      for (const { raw } of page.items) items.push(treeOf(raw));
  } catch (error) {
    if (!(error instanceof CopsError) || !isClosedTo(error)) throw error;
    return { items: [], unproven: [`cannot be read: ${error.message}`] };
  }
  return { items, unproven: report.unproven };
}

/** Whether this key or this service cannot read the family, which is then left out with a warning. */
function isClosedTo(error: CopsError): boolean {
  return error.facts.httpStatus === 403 || error.facts.httpStatus === 405 || error.kind === 'not_found';
}

function treeOf(text: string): TreeObject {
  try {
    const { value } = parseJson(text);
    if (isObject(value)) return value;
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxFault)) throw fault;
  }
  throw new CopsError('service_failed', 'The service answered with something other than an object.');
}

/** Reads an environment and shows progress. */
export async function snapshotOf(
  { context, account, concurrency }: SetupEnvironment,
  families: Families,
  wanted: ReadonlySet<string>,
): Promise<Snapshot> {
  const meter = new Meter(context.notes, () => context.world.now(), { unit: 'objects read' });
  const snapshot = await readSnapshot(account, {
    families,
    wanted,
    concurrency,
    progress: (done, all) => meter.show(done, all),
  });
  context.notes.progressDone();
  for (const text of snapshot.unproven) context.notes.warn(`Not proven complete: ${text}`);
  for (const text of snapshot.nameless) context.notes.note(`${text} has no name, so no file can hold it.`);
  return snapshot;
}

/** The named families, or every family that can be kept as files. @throws CopsError usage (2) */
export function wantedFamilies(families: Families, names: readonly string[]): ReadonlySet<string> {
  const wanted = names.map((word) => {
    const name = word.replaceAll('_', '-');
    if (families.managed.has(name)) return name;
    const plural = `${name}s`;
    if (families.managed.has(plural)) return plural;
    const external = 'files can only refer to its items: they cannot be created or edited here';
    const why = families.unmanaged.find((one) => one.name === name)?.why;
    const reason = why ?? (families.external.has(name) ? external : undefined);
    throw usage(
      reason === undefined ? `"${word}" is not a set-up family.` : `${name} cannot be kept as files: ${reason}.`,
      say`${cops`setup graph`} names all families that can.`,
    );
  });
  return new Set(wanted.length > 0 ? wanted : families.managed.keys());
}

export function folderPath(context: Context, folder: string | undefined): string {
  const given = folder ?? '.';
  const path = typedPath(context.world, given);
  return isAbsolute(given) ? given : path;
}
