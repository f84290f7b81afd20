import { cp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CopsError, stopped } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import { parseSpan } from '../../base/time/spans.js';
import type { World } from '../../base/world.js';
import type { Expectation, ScenarioStep } from '../../items/checks/scenario-shape.js';
import { type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { faultsOf, parseFaults, seededRandom } from '../../sandbox/serve/injected-faults.js';
import type { OpenedSandbox } from '../../sandbox/store/open-store.js';
import { Bindings } from './bindings.js';
import { Books, breaches, paidBackTwice } from './books.js';
import {
  type CorrectionPlace,
  itemNow,
  type Marks,
  marksOf,
  type Observed,
  type Unmet,
  unmet,
} from './expectations.js';
import { type InnerPlace, type LineEnd, type LineRunner, runLine } from './inner-world.js';
import { disturbing, losing } from './losing.js';
import type { Scenario } from './read-scenarios.js';
import { SeenItems } from './seen-items.js';
import { groundOf, type ServiceCopies } from './service-copy.js';
import { CoverageWatch, type SetupCoverage } from './setup-coverage.js';
import type { FileCorrection } from './update-scenarios.js';
import { checkedLine, scenarioAllows, stepWords } from './walls.js';

/** The result of a scenario. */
export interface ScenarioEnd {
  readonly name: string;
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Number of completed steps. */
  readonly steps: number;
  readonly ms: number;
  /** Why it was skipped. */
  readonly why?: string;
  readonly failure?: ScenarioFailure;
  /** Present if requested, and there is a set-up. */
  readonly coverage?: SetupCoverage;
}

/** Where and how a scenario failed. */
export interface ScenarioFailure {
  /** `steps[3]: sales refund …`, or `expect[0]`. */
  readonly at: string;
  readonly unmet: readonly Unmet[];
  /** The output of the command line, and the item's history so far. */
  readonly more: string;
  /** The command line for investigating further. */
  readonly next?: string;
}

/** What running scenarios needs from outside. */
export interface ScenarioGround {
  readonly world: World;
  readonly run: LineRunner;
  readonly copies: ServiceCopies;
  /** Replaces the scenario's own. */
  readonly setup?: string | undefined;
  readonly seed?: number | undefined;
  /** Whether to record which set-up objects are touched. */
  readonly coverage?: boolean | undefined;
  /** Accepts the values found instead of the expected ones, so that the scenario continues. */
  readonly corrected?: ((correction: FileCorrection) => void) | undefined;
}

/** For a tested set-up: everything but its files. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.cops', '.git', 'node_modules']);

/** Runs one scenario on a separate service. Never throws for faults of the scenario. */
export async function runScenario(scenario: Scenario, ground: ScenarioGround): Promise<ScenarioEnd> {
  const { name, file, content } = scenario;
  const began = performance.now();
  const ended = (status: ScenarioEnd['status'], steps: number, more: object = {}): ScenarioEnd => {
    return { name, file, status, steps, ms: Math.round(performance.now() - began), ...more };
  };
  if (content.skip !== undefined) return ended('skipped', 0, { why: content.skip });
  const play = await Play.begin(scenario, ground).catch((error: unknown) => {
    if (!(error instanceof CopsError) || error.kind === 'interrupted') throw error;
    throw new CopsError(error.kind, `${file}: given: ${error.message}`, error.facts);
  });
  const end = new AbortController();
  try {
    const failure = await Promise.race([play.all(), tooLong(content.timeout ?? '30s', end.signal)]);
    const coverage = play.coverage();
    const more = { ...(failure && { failure }), ...(coverage && { coverage }) };
    return ended(failure ? 'failed' : 'passed', play.done, more);
  } finally {
    end.abort();
    play.close();
  }
}

/** Keeps the process alive until the end: what a step waits for may not. */
async function tooLong(timeout: string, end: AbortSignal): Promise<ScenarioFailure> {
  const [, count = '', unit = ''] = /^(\d+)(ms|s|m)$/.exec(timeout) ?? [];
  const ms = Number(count) * ({ ms: 1, s: 1000, m: 60_000 }[unit] ?? 1);
  await new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    end.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  return {
    at: 'the whole',
    unmet: [{ expected: `an end within ${timeout}`, found: 'it was still running' }],
    more: '',
  };
}

/** A scenario in progress. */
class Play {
  done = 0;
  /** Aborted when time has run out: the running step ends, and no further step begins. */
  readonly #over = new AbortController();
  readonly #interrupted: AbortSignal;
  readonly #bindings: Bindings;
  readonly #items: SeenItems;
  readonly #beginning: Marks;
  /** The modes when their books were last checked. */
  readonly #balanced = new Map<boolean, string>();
  readonly #since: number;
  readonly #bookedSince: number;
  #last: LineEnd | undefined;
  readonly #disturbed: ReturnType<typeof disturbing>;
  #watch: CoverageWatch | undefined;

  private constructor(
    private readonly scenario: Scenario,
    private readonly ground: ScenarioGround,
    private readonly place: InnerPlace,
    private readonly opened: OpenedSandbox,
  ) {
    this.#interrupted = AbortSignal.any([ground.world.interrupted, this.#over.signal]);
    this.#bindings = new Bindings((family, id) => itemNow(opened, family, id), { case: scenario.row });
    this.#items = new SeenItems(opened.store);
    this.#items.look();
    this.#beginning = asksWhole(scenario.content.expect) ? marksOf(this.#items) : new Map();
    this.#since = opened.store.lastFiled();
    this.#bookedSince = Math.floor(opened.now() / 1000);
    const { faults = {}, seed = 1 } = scenario.content.given ?? {};
    const read = parseFaults(faultsOf(faults));
    // Wrong ones were refused when the file was read.
    this.#disturbed = disturbing({
      faults: typeof read === 'string' ? [] : read,
      random: seededRandom(ground.seed ?? seed),
    });
  }

  static async begin(scenario: Scenario, ground: ScenarioGround): Promise<Play> {
    const { given = {} } = scenario.content;
    const zone = given.tz ?? 'UTC';
    const seed = ground.seed ?? given.seed ?? 1;
    const folder = dirname(scenario.file);
    const within = { cwd: folder, confined: { folders: [folder], allows: scenarioAllows } };
    const setup = ground.setup ?? (given.setup && typedPath(within, given.setup));
    const env = setup === undefined ? {} : { ...given.secrets };
    const inner = { folder, zone, functionThread: ground.copies.functionThread };
    const facts = { ...groundOf(given, ground.world), seed, setup, env };
    const { home, clock, before } = await ground.copies.home(facts, (at, begun) =>
      applied(ground, { ...inner, random: seededRandom(seed), home: at, clock: begun, folders: [], env }, setup ?? at),
    );
    ground.copies.functionThread.stubs = given.stubs;
    const folders = [folder, join(home, 'data', 'mirrors')];
    const place = { ...inner, random: seededRandom(seed), home, clock, folders };
    const play = new Play(scenario, ground, place, await ground.copies.open(home, () => clock.now));
    if (ground.coverage && setup !== undefined)
      play.#watch = await CoverageWatch.begin(play.#items, play.#since, before);
    return play;
  }

  coverage(): SetupCoverage | undefined {
    this.#items.look();
    return this.#watch?.end();
  }

  close(): void {
    this.#over.abort(stopped('the time of the scenario has run out'));
    this.opened.database.close();
  }

  /** The first failure, if there is one. */
  async all(): Promise<ScenarioFailure | undefined> {
    const { steps, expect = [] } = this.scenario.content;
    const failure = await this.#steps(steps, 'steps', ['steps']);
    return failure ?? (await this.#expectations(expect, 'expect', ['expect'], this.#beginning));
  }

  async #steps(
    steps: readonly ScenarioStep[],
    path: string,
    place: CorrectionPlace,
  ): Promise<ScenarioFailure | undefined> {
    for (const [at, step] of steps.entries()) {
      // Lets a timeout or Ctrl-C take effect even if no step waits for anything.
      await new Promise((done) => setImmediate(done));
      this.ground.world.interrupted.throwIfAborted();
      if (this.#over.signal.aborted) return undefined;
      const failure = await this.#step(step, `${path}[${at}]`, [...place, at]);
      if (failure) return failure;
      this.done++;
    }
    return undefined;
  }

  async #step(step: ScenarioStep, path: string, place: CorrectionPlace): Promise<ScenarioFailure | undefined> {
    const before = asksWhole(step.expect) ? marksOf(this.#items) : this.#beginning;
    try {
      const failure = step.use === undefined ? await this.#act(step, path) : await this.#shared(step, path);
      return (
        failure ??
        this.#unbalanced(path) ??
        (await this.#expectations(step.expect ?? [], `${path}.expect`, [...place, 'expect'], before))
      );
    } catch (error) {
      if (!(error instanceof CopsError) || error.kind === 'interrupted') throw error;
      const hint = error.facts.hint === undefined ? '' : ` ${error.facts.hint}`;
      return { at: path, unmet: [{ expected: 'a valid step', found: `${error.message}${hint}` }], more: '' };
    }
  }

  async #shared(step: ScenarioStep, path: string): Promise<ScenarioFailure | undefined> {
    this.#bindings.bindValues('with', (await this.#bindings.fillAll(step.with ?? {})) as Record<string, unknown>);
    const name = step.use ?? '';
    return this.#steps(this.scenario.content.shared?.[name] ?? [], `${path}.${name}`, ['shared', name]);
  }

  async #act(step: ScenarioStep, path: string): Promise<ScenarioFailure | undefined> {
    const words = await this.#wordsOf(step);
    if (words === undefined) return undefined;
    const isBody = step.body !== undefined && step.event === undefined;
    const input = isBody ? JSON.stringify(await this.#bindings.fillAll(step.body)) : step.input;
    const line = [...words, ...(isBody ? ['--body', '-'] : []), ...(saysFormat(words) ? [] : ['-o', 'json'])];
    const lose = step.lose === undefined ? undefined : losing(step.lose);
    const ran = await runLine(this.ground.world, this.ground.run, this.place, line, {
      ...(input === undefined ? {} : { input: await this.#bindings.fill(input) }),
      through: (way) => this.#disturbed(lose?.(way) ?? way),
      interrupted: this.#interrupted,
    });
    this.#last = ran;
    const unmet = endUnmet(step, ran);
    if (unmet.length > 0) return { at: `${path}: ${words.join(' ')}`, unmet, more: ran.stderr.trim() };
    if (step.as !== undefined) await this.#bindings.bind(step.as, words, ran.stdout);
    return undefined;
  }

  /** The command line of a step, with its placeholders filled, after checking it. */
  async #wordsOf(step: ScenarioStep): Promise<readonly string[] | undefined> {
    const clock = ['sandbox', 'clock'];
    if (step.advance !== undefined) {
      const span = await this.#bindings.fill(step.advance);
      parseSpan(span, 'advance');
      return [...clock, 'advance', span];
    }
    if (step.advance_to !== undefined) return [...clock, 'set', await this.#moment(step.advance_to)];
    if (step.event !== undefined) {
      const item = step.item === undefined ? [] : ['--item', await this.#bindings.fill(step.item)];
      const fields = Object.entries((await this.#bindings.fillAll(step.body ?? {})) as object);
      const data = fields.flatMap(([name, value]) => ['-d', `${name}:=${JSON.stringify(value)}`]);
      return ['sandbox', 'trigger', await this.#bindings.fill(step.event), ...item, ...data];
    }
    if (step.run === undefined) return undefined;
    const words = await Promise.all(stepWords(step.run).map((word) => this.#bindings.fill(word)));
    return checkedLine(words, this.place.folder);
  }

  /** A moment as typed, or a field of a binding. */
  async #moment(text: string): Promise<string> {
    const filled = await this.#bindings.fill(text);
    const [name = ''] = filled.split('.');
    if (!this.#bindings.has(name)) return filled;
    const value: Lossless = await this.#bindings.valueOf(filled);
    return plain(value) ?? filled;
  }

  /** Money is conserved after every step, whatever the step was. */
  #unbalanced(path: string): ScenarioFailure | undefined {
    this.#items.look();
    const found = [false, true].flatMap((live) => {
      const mark = this.#items.markOfMode(live);
      if (this.#balanced.get(live) === mark) return [];
      this.#balanced.set(live, mark);
      const [books, since] = [new Books(this.#items, live), this.#bookedSince];
      return [...breaches(books, since), ...paidBackTwice(books, since)].map((text) => text.slice(0, 300));
    });
    if (found.length === 0) return undefined;
    return { at: path, unmet: [{ expected: 'books that balance', found: found.join('\n') }], more: '' };
  }

  async #expectations(
    all: readonly Expectation[],
    path: string,
    place: CorrectionPlace,
    before: Marks,
  ): Promise<ScenarioFailure | undefined> {
    const observed: Observed = {
      opened: this.opened,
      items: this.#items,
      bindings: this.#bindings,
      zone: this.place.zone,
      since: this.#since,
      before,
      looked: this.#watch?.looked,
    };
    for (const [at, one] of all.entries()) {
      const found = await unmet(one, observed);
      if (this.#corrected(found, [...place, at])) continue;
      if (found.length > 0) return { at: `${path}[${at}]`, unmet: found, ...(await this.#about(found)) };
    }
    return undefined;
  }

  /** Whether every unmet part was accepted as found; cases that share a text cannot each have their own value. */
  #corrected(found: readonly Unmet[], place: CorrectionPlace): boolean {
    const { corrected } = this.ground;
    if (corrected === undefined || this.scenario.row !== undefined || found.length === 0) return false;
    const corrections = found.flatMap(({ instead }) => instead ?? []);
    if (corrections.length < found.length) return false;
    for (const { place: below, yaml } of corrections)
      corrected({ file: this.scenario.file, place: [...place, ...below], yaml });
    return true;
  }

  /** The history of the item that an expectation is about. */
  async #about([first]: readonly Unmet[]): Promise<{ more: string; next?: string }> {
    const said = this.#last?.stderr.trim() ?? '';
    const { item } = first ?? {};
    if (item === undefined) return { more: said };
    const ran = await runLine(this.ground.world, this.ground.run, this.place, ['timeline', item.id, '-o', 'table']);
    const next = `cops ${item.family.replaceAll('_', '-')} get ${item.id}`;
    return { more: [said, ran.stdout.trim()].filter((text) => text !== '').join('\n'), next };
  }
}

function asksWhole(expectations: readonly Expectation[] = []): boolean {
  return expectations.some((one) => one.unchanged !== undefined);
}

/** Applies a copy: a scenario must not change the state that a set-up keeps of its environments. */
async function applied({ world, run }: ScenarioGround, place: InnerPlace, folder: string): Promise<void> {
  const copy = join(place.home, 'setup');
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  const ran = await runLine(world, run, { ...place, folders: [copy] }, ['setup', 'apply', copy, '--yes', '-o', 'json']);
  if (ran.code !== 0) throw new CopsError('usage', `The set-up ${folder} cannot be applied:\n${ran.stderr.trim()}`);
}

function saysFormat(words: readonly string[]): boolean {
  return words.some((word) => /^(?:-o|--output|--template|--curl)\b/.test(word));
}

/** How a command line's outcome differs from what its step says. */
function endUnmet({ exit, error }: ScenarioStep, { code, stderr }: LineEnd): Unmet[] {
  const wanted = exit ?? (error === undefined ? 0 : undefined);
  if (wanted !== undefined && code !== wanted) return [{ expected: `exit ${wanted}`, found: `exit ${code}` }];
  if (error === undefined) return [];
  const told = errorOf(stderr);
  if (told.includes(error)) return [];
  return [
    { expected: `the error ${error}`, found: told.length === 0 ? `exit ${code} without an error` : told.join(', ') },
  ];
}

/** Kind and code of the error that a command line reported. */
function errorOf(stderr: string): string[] {
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) return [];
  const told = parseLossless(last);
  const error = told instanceof Map ? told.get('error') : undefined;
  if (!(error instanceof Map)) return [];
  return ['kind', 'error_code'].flatMap((name) => plain(error.get(name)) ?? []);
}
