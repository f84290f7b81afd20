import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { checkTarget, type GivenTarget, writeGiven } from '../../../account/given-target.js';
import { CopsError, usage, Would } from '../../../base/errors/errors.js';
import { typedPath } from '../../../base/files/typed-path.js';
import type { Scenario } from '../../../data/scenarios/read-scenarios.js';
import type { ScenarioEnd } from '../../../data/scenarios/run-scenario.js';
import type { FileCorrection } from '../../../data/scenarios/update-scenarios.js';
import { Item } from '../../../items/json/item-json.js';
import { Meter } from '../../../screen/meter.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { jsonText, listOf } from '../../../session/context/run.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import type { spec } from './spec.js';

type TestOptions = OptionsOf<typeof spec>;

/** `cops test`: runs scenarios, each on its own service. */
export async function run(context: Context, { words, options }: CommandInput<TestOptions>): Promise<Done> {
  const { world } = context;
  if (options.schema) {
    const { SCENARIO_FORMAT } = await import('../../../items/checks/scenario-shape.js');
    return { result: jsonText(SCENARIO_FORMAT.schema()) };
  }
  if (options.init !== undefined) {
    const { layScenarios } = await import('../../../data/scenarios/first-scenarios.js');
    const folder = typedPath(world, options.init);
    if (context.options.dryRun) throw new Would(`write scenarios to ${folder}`);
    const made = await layScenarios(folder);
    context.notes.note(`Next: cops test ${options.init}`);
    return {
      result: listOf(
        made.map((file) => ({ file })),
        ['file'],
      ),
    };
  }
  if (options.record !== undefined) {
    if (words.length > 0) throw usage('--record prints one scenario: leave out files and folders.');
    const { recordScenario } = await import('../../../data/scenarios/record-scenario.js');
    return { result: { shape: 'text', text: await recordScenario(context, options.record) } };
  }
  if (options.update && (world.env.CI || options.watch || options.list))
    throw usage('--update is for a person who reviews the result: not in CI, not with --watch, not with --list.');
  if (options.watch) return watched(context, words, options);
  const wanted = await chosen(context, words, options);
  if (options.list) {
    const rows = wanted.map(({ name, file, content }) => ({
      name,
      file: relative(world.cwd, file),
      tags: content.tags ?? [],
    }));
    return { result: listOf(rows, ['name', 'file', 'tags']) };
  }
  if (context.options.dryRun)
    throw new Would(`play ${wanted.length} scenarios, each on a copy of the sandbox that is thrown away`);
  if (options.junit !== undefined) await checkTarget(junitTarget(context, options.junit));
  return told(context, await played(context, words, wanted, options), options);
}

const COLUMNS = ['name', 'status', 'file', 'steps', 'ms'];

/** The scenarios the line asks for. @throws CopsError `usage` (2) if there are none, and for faults in any file */
async function chosen(
  { world }: Context,
  words: readonly string[],
  options: TestOptions,
): Promise<readonly Scenario[]> {
  const { readScenarios } = await import('../../../data/scenarios/read-scenarios.js');
  const all = await readScenarios(words, world);
  const wanted = sharded(
    all.filter((one) => isWanted(one, options)),
    options.shard,
  );
  if (wanted.length > 0) return wanted;
  throw usage(`These options match none of ${all.length} scenarios.`, 'See cops test --list.');
}

/** How often to check files, milliseconds. */
const LOOK_MS = 300;

/** Runs them now and after each change to their files, until Ctrl-C. */
async function watched(context: Context, words: readonly string[], options: TestOptions): Promise<Done> {
  if (options.list || options.junit !== undefined || context.options.dryRun)
    throw usage('--watch repeats the run: leave out --list, --junit and --dry-run.');
  const { world, notes } = context;
  const { marksOfFiles } = await import('../../../data/scenarios/watched-files.js');
  const { failureText } = await import('../../../data/scenarios/results-text.js');
  const places = [...(words.length === 0 ? ['.'] : words), ...(options.setup ? [options.setup] : [])];
  const look = () => marksOfFiles(places.map((place) => typedPath(world, place)));
  async function* rounds(): AsyncGenerator<Item> {
    for (let isAgain = false; ; ) {
      const before = look();
      try {
        for (const end of await played(context, words, await chosen(context, words, options), options)) {
          if (end.failure) notes.warn(`${end.name}\n${failureText(end.failure)}`);
          yield Item.of(end);
        }
      } catch (error) {
        if (!(error instanceof CopsError) || error.kind === 'interrupted') throw error;
        notes.warn(error.message);
      }
      const seen = look();
      // Also runs what was saved meanwhile; scenarios that write files themselves must not loop forever.
      isAgain = seen !== before && !isAgain;
      if (isAgain) continue;
      notes.note('Waiting for changes; Ctrl-C ends.');
      while (look() === seen) await world.sleep(LOOK_MS, world.interrupted);
    }
  }
  return {
    result: { shape: 'list', items: rounds(), columns: COLUMNS.map((path) => ({ path })), idField: 'name', live: true },
  };
}

function junitTarget(context: Context, typed: string): GivenTarget {
  return { path: typedPath(context.world, typed), typed, option: '--junit', own: context };
}

function isWanted({ name, content }: Scenario, { grep, tag }: TestOptions): boolean {
  const hasText = grep === undefined || name.toLowerCase().includes(grep.toLowerCase());
  return hasText && (tag === undefined || tag.some((one) => content.tags?.includes(one)));
}

function sharded(all: readonly Scenario[], shard: string | undefined): readonly Scenario[] {
  if (shard === undefined) return all;
  const [part, of] = partOf(shard);
  return all.filter((_, at) => at % of === part - 1);
}

function partOf(shard: string): readonly [part: number, of: number] {
  const [, which = '', of = ''] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  const [part, parts] = [Number(which), Number(of)];
  if (part >= 1 && part <= parts) return [part, parts];
  throw usage(`--shard takes a part such as 2/4, not ${JSON.stringify(shard)}.`);
}

/** Runs them in order, in several processes if that is faster. */
async function played(
  context: Context,
  words: readonly string[],
  scenarios: readonly Scenario[],
  options: TestOptions,
): Promise<ScenarioEnd[]> {
  if (options.seed !== undefined && !/^\d{1,9}$/.test(options.seed))
    throw usage(`--seed takes a whole number, not ${JSON.stringify(options.seed)}.`);
  const jobs = jobsOf(context, scenarios.length, options);
  if (jobs > 1) {
    const { playInJobs } = await import('./jobs.js');
    const shard = partOf(options.shard ?? '1/1');
    return playInJobs(context, { words: [...words, ...choosing(options)], shard, count: scenarios.length, jobs });
  }
  const [{ ServiceCopies }, { runScenario }] = await Promise.all([
    import('../../../data/scenarios/service-copy.js'),
    import('../../../data/scenarios/run-scenario.js'),
  ]);
  const { world, notes } = context;
  const { coverage } = options;
  const seed = options.seed === undefined ? undefined : Number(options.seed);
  const copies = new ServiceCopies();
  const setup = options.setup === undefined ? undefined : typedPath(world, options.setup);
  const corrections: FileCorrection[] = [];
  const corrected = options.update ? (one: FileCorrection) => void corrections.push(one) : undefined;
  const ends: ScenarioEnd[] = [];
  const meter = new Meter(notes, () => world.now(), { unit: 'scenarios' });
  try {
    for (const scenario of scenarios) {
      meter.show(ends.length, scenarios.length, [scenario.name]);
      const end = await runScenario(scenario, {
        world,
        run: context.runLine,
        copies,
        setup,
        seed,
        coverage,
        corrected,
      });
      ends.push({ ...end, file: relative(world.cwd, end.file) });
      if (options.bail && end.status === 'failed') break;
    }
  } finally {
    notes.progressDone();
    await copies.close();
  }
  if (corrections.length > 0) {
    const { writeCorrections } = await import('../../../data/scenarios/update-scenarios.js');
    notes.note(`Updated ${await writeCorrections(corrections)} values in the scenarios. Review them.`);
  }
  if (ends.length < scenarios.length) notes.warn(`Not run because of --bail: ${scenarios.length - ends.length} more.`);
  return ends;
}

/** The options that choose scenarios and how to run them, as typed. */
function choosing({ setup, grep, tag = [], seed, coverage }: TestOptions): string[] {
  const named = Object.entries({ setup, grep, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return [...named, ...tag.map((one) => `--tag=${one}`), ...(coverage ? ['--coverage'] : [])];
}

/** From this many scenarios on, several processes are faster than one. */
const MANY = 16;
const MOST_JOBS = 64;

function jobsOf({ world }: Context, count: number, { jobs, bail, update }: TestOptions): number {
  const wanted = jobs === undefined ? undefined : Number(jobs);
  if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_JOBS))
    throw usage(`--jobs takes a whole number from 1 to ${MOST_JOBS}, not ${JSON.stringify(jobs)}.`);
  if (bail && wanted !== undefined && wanted > 1) throw usage('--bail stops at the first failure: it needs --jobs 1.');
  if (world.runAgain === undefined || bail || update) return 1;
  return Math.min(count, wanted ?? (count < MANY ? 1 : availableParallelism()));
}

async function told(context: Context, ends: readonly ScenarioEnd[], options: TestOptions): Promise<Done> {
  const { junit } = options;
  if (options.coverage) await tellCoverage(context, ends);
  const text = await import('../../../data/scenarios/results-text.js');
  if (junit !== undefined) await writeGiven(junitTarget(context, junit), text.resultsJunit(ends));
  const failed = ends.filter(({ status }) => status === 'failed');
  const finish = () =>
    failed.length === 0 ? undefined : new CopsError('differs', `${failed.length} of ${ends.length} scenarios failed.`);
  if (context.options.output === 'tap') return { result: { shape: 'text', text: text.resultsTap(ends) }, finish };
  const { format } = await context.settings();
  if (format === 'table') return { result: { shape: 'text', text: text.resultsTable(ends) }, finish };
  return { result: listOf(ends, COLUMNS), finish };
}

/** Reports the objects of a set-up that no scenario touched. */
async function tellCoverage({ notes }: Context, ends: readonly ScenarioEnd[]): Promise<void> {
  const { untouchedByAll } = await import('../../../data/scenarios/setup-coverage.js');
  const { untouched, count } = untouchedByAll(ends.flatMap(({ coverage }) => coverage ?? []));
  if (count === 0) return notes.warn('No scenario ran on a set-up: --coverage has nothing to report.');
  const names = untouched.map((address) => `\n  ${address}`).join('');
  notes.note(`Not touched by any scenario: ${untouched.length} of ${count} objects of the set-up.${names}`);
}
