import { profileIfAny } from '../../account/profiles/faults.js';
import { configFolder, dataFolder, madeWithoutHome } from '../../account/profiles/glance.js';
import { maskKey, typedKey } from '../../account/profiles/keys.js';
import { type Defaults, resolveDefaults, resolveLedger, resolveProfile } from '../../account/profiles/resolve.js';
import { openStore } from '../../account/profiles/store.js';
import type { Profile } from '../../account/profiles/types.js';
import type { Team } from '../../account/team/team.js';
import { CopsError, usage, Would } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import type { SendOptions, ServiceRequest, TlsMaterial, Transport } from '../../base/transport.js';
import type { World } from '../../base/world.js';
import { type AllNotes, atOnce, colourLevel, heldNotes, makeNotes } from '../../screen/notes.js';
import { FORMATS, formatTraits } from '../../screen/output-formats.js';
import { checkSettings, formatNamed, render } from '../../screen/render.js';
import { excelOf } from '../../screen/spreadsheets.js';
import { PLAIN, palette } from '../../screen/style.js';
import type { Palette, ScreenSettings } from '../../screen/types.js';
import type { Context, Done, GlobalOptions, Job, Prompter } from '../../session/context/context.js';
import { noCurl, wouldBeDone } from '../../session/context/run.js';
import { wordPositions } from '../parser/argv.js';
import type { Failure } from './report.js';
import { type Judge, readyText } from './shown-text.js';

/** Runs a parsed job: context, job, output, closing notes. Returns the exit code; throws any failure. */
export async function execute(
  world: World,
  options: GlobalOptions,
  job: Job,
  command: string,
  learn: (facts: Partial<Failure>) => void,
  runLine: Context['runLine'],
  judge: Judge,
): Promise<number> {
  const colours = colourLevel(world.env, world.stderr, options.color) > 0 ? await palette(true) : PLAIN;
  const run = runOf(world, options, command, colours, learn, runLine, judge);
  const { notes } = run.shared;
  const context = contextOf(run, options);
  const madeUnsaid = madeWithoutHome(world);
  try {
    refuseTypedKey(run);
    // A bad --output or --query must fail before a write is sent.
    await checkSettings(await context.settings());
    const done = await job(context).catch(async (error: unknown) => {
      if (options.dryRun && error instanceof Would) return wouldBeDone(context, error);
      if (!(error instanceof CopsError) || error.kind !== 'not_found') throw error;
      throw await (await import('./seen-elsewhere.js')).withSeen(context, error);
    });
    if (options.curl && done.isCurl !== true) throw noCurl(command);
    // Data must not follow an unfinished progress line, nor precede notes already written.
    notes.progressDone();
    await notes.settled();
    if (done.result.shape !== 'nothing') {
      // An endless list has no end for notes to follow.
      if (done.result.shape === 'list' && done.result.live) run.held.open();
      const { closedPipe } = await show(run, done);
      if (closedPipe && !done.wrote) return 0;
    }
    notes.progressDone();
    const failed = await done.finish?.();
    run.held.tell();
    if (failed) throw failed;
    await tellUpdate(run);
    return done.exitCode ?? 0;
  } finally {
    notes.progressDone();
    const made = madeUnsaid();
    if (made !== undefined) notes.note(made);
    // From here on there is no answer to wait for.
    run.held.open();
    await notes.settled();
    for (const work of run.untilTold.splice(0)) await work();
    for (const team of run.teams) await team.close();
    for (const way of run.ways) await (await way.catch(() => undefined))?.close();
  }
}

/** Commands and family actions that search for their words: there, anything that looks like a key is refused as one. */
const LOOKING: ReadonlySet<string> = new Set(['find', 'why', 'timeline', 'search', 'show']);

/** Refuses a line that contains an API key, before anything shows or sends it. @throws CopsError usage (2) */
function refuseTypedKey({ shared: { world, configDir, command }, keys, learn }: Run): void {
  const { argv, env } = world;
  const looks = command.split(' ').some((word) => LOOKING.has(word));
  const terms = looks ? wordPositions(argv).map((at) => argv[at] ?? '') : [];
  const key = typedKey(argv, terms, { store: openStore(configDir), env });
  if (key === undefined) return;
  keys.push(key);
  learn({ secrets: keys });
  throw usage(
    `The line contains an API key (${maskKey(key)}): nothing was searched or sent.`,
    "It may now be in your shell's history, where others can read it: remove it there, or replace the key.",
  );
}

/** Shown only to a person at a terminal. */
async function tellUpdate({ shared, options, defaults }: Run): Promise<void> {
  const { world, notes, dataDir } = shared;
  const isPerson = world.stdout.isTTY === true && world.stderr.isTTY === true && options.input && !world.env.CI;
  if (!isPerson || options.quiet || options.dryRun) return;
  const address = world.env.COPS_UPDATE_URL ?? defaults()?.updateUrl;
  if (address === undefined || address === '') return;
  const { updateNotice } = await import('./update-notice.js');
  const notice = await updateNotice(world, address, dataDir);
  if (notice !== undefined) atOnce(notes).note(notice);
}

/** Writes the result, through a pager where one is wanted. */
async function show({ shared, options, defaults }: Run, done: Done): Promise<{ readonly closedPipe: boolean }> {
  const { world, notes } = shared;
  const settings = await shared.settings();
  const write = (stdout: NodeJS.WritableStream, note: (text: string) => void) =>
    render(done.result, settings, {
      stdout,
      get color() {
        return colourLevel(world.env, world.stdout, options.color) > 0;
      },
      width: world.stdout.columns || 80,
      interactive: world.stdout.isTTY === true,
      note,
      warn: (text) => notes.warn(text),
    });
  try {
    if (world.stdout.isTTY !== true || !world.openPager) return await write(world.stdout, notes.note);
    const { throughPager } = await import('./through-pager.js');
    const paging = { world, notes, options, setting: () => defaults()?.pager };
    return await throughPager(paging, done, settings.format, write);
  } catch (error) {
    throw done.wrote ? doneButUnseen(error) : error;
  }
}

/** A write whose answer could not be shown still happened: nobody should repeat it because of a full disk. */
function doneButUnseen(error: unknown): unknown {
  if (!(error instanceof CopsError)) return error;
  return new CopsError(error.kind, `It was sent and answered, but the answer could not be shown: ${error.message}`, {
    ...error.facts,
    hint: say`Do not repeat it: ${cops`history list`} shows its outcome.`,
  });
}

type Shared =
  | 'world'
  | 'runLine'
  | 'notes'
  | 'configDir'
  | 'dataDir'
  | 'command'
  | 'settings'
  | 'prompter'
  | 'whenTold'
  | 'shown';

/** The parts that a run has exactly once. */
interface Run {
  /** The parts that all its contexts share. */
  readonly shared: Pick<Context, Shared> & { readonly notes: AllNotes };
  /** The options as given on the line. */
  readonly options: GlobalOptions;
  /** Output and zone of the profile, found without its key; undefined where no profile can be used. */
  readonly defaults: () => Defaults | undefined;
  /** Keys read so far; no output shows them. */
  readonly keys: string[];
  /** All output passes through this. */
  mask: (text: string) => string;
  /** The transports opened so far. */
  readonly ways: Promise<Transport>[];
  /** The ledgers opened so far. */
  readonly teams: Team[];
  /** Prints what is held back until after the answer. */
  readonly held: { tell(): void; open(): void };
  /** Work that waits until the answer is out. */
  readonly untilTold: (() => Promise<void>)[];
  /** Records what reporting an error needs. */
  readonly learn: (facts: Partial<Failure>) => void;
}

/** A run of a line; each part is made on first use. */
function runOf(
  world: World,
  options: GlobalOptions,
  command: string,
  colours: Palette,
  learn: Run['learn'],
  runLine: Run['shared']['runLine'],
  judge: Judge,
): Run {
  const shown = (text: Text) => readyText(text, options, judge, world.onProposal);
  const own = makeNotes({
    stderr: world.stderr,
    quiet: options.quiet,
    verbose: options.verbose,
    colours,
    interactive: world.stderr.isTTY === true,
    json: options.logFormat === 'json',
    plain: world.env.TERM === 'dumb',
    shown,
    hide: (text) => run.mask(text),
    now: () => world.now(),
  });
  const { notes, ...held } = heldNotes(own);
  const configDir = configFolder({ env: world.env, cwd: world.cwd });
  const run: Run = {
    shared: {
      world,
      runLine,
      notes,
      configDir,
      dataDir: dataFolder({ env: world.env, cwd: world.cwd }),
      command,
      settings: once(() => settingsOf(run)),
      prompter: once(() => prompterOf(run)),
      shown,
      whenTold: async (work) => {
        run.untilTold.push(work);
      },
    },
    options,
    defaults: once(() => defaultsOf(world, options, configDir)),
    keys: [],
    mask: (text) => text,
    ways: [],
    teams: [],
    held,
    untilTold: [],
    learn,
  };
  return run;
}

/** The context of a line, or of another profile and mode instead. */
function contextOf(run: Run, options: GlobalOptions): Context {
  const { world } = run.shared;
  const profile = once(() => profileOf(run, options));
  let transport: Promise<Transport> | undefined;
  const clock = async (): Promise<number> => {
    const known = await profileIfAny(made);
    if (!known?.embedded) return world.now();
    const way = await made.transport();
    return (way as Transport & { now?: () => number }).now?.() ?? world.now();
  };
  const made: Context = {
    ...run.shared,
    options,
    profile,
    transport: (connections) => {
      if (transport === undefined) {
        transport = openWay(made, connections);
        run.ways.push(transport);
      }
      return transport;
    },
    team: once(() => teamOf(run, made)),
    now: once(clock),
    clock,
    inEnvironment: (name, mode) => contextOf(run, { ...run.options, profile: name, mode, baseUrl: undefined }),
  };
  return made;
}

/** What settles a setting: the line, the environment, the file. The zone is asked for only where nothing says one. */
const settling = (world: World, options: GlobalOptions, configDir: string) => ({
  ...{ store: openStore(configDir), options, env: world.env },
  get zone() {
    return world.zone;
  },
});

/** The team's ledger; loads nothing where no ledger is in use. */
async function teamOf({ shared, teams }: Run, made: Context): Promise<Team | undefined> {
  const { world, configDir, dataDir, notes } = shared;
  const { options } = made;
  // A scenario reaches only its own copy of the sandbox.
  if (world.confined) return undefined;
  const ledger = await resolveLedger(settling(world, options, configDir));
  if (ledger === undefined) return undefined;
  const { openTeam } = await import('../../account/team/open-team.js');
  const profile = await profileIfAny(made);
  const team = openTeam({
    ledger,
    account: profile && { baseUrl: profile.baseUrl.value, mode: profile.mode.value },
    reading: { env: world.env, configDir, signal: world.interrupted, hasTerminal: world.stdin.isTTY === true },
    ...{ dataDir, cwd: world.cwd, timeoutMs: options.timeout * 1000 },
    now: () => world.now(),
    warn: (text) => notes.warn(text),
  });
  teams.push(team);
  return team;
}

async function profileOf(run: Run, options: GlobalOptions): Promise<Profile> {
  const { world, configDir, notes } = run.shared;
  const { openProofs } = await import('../../account/safety/proofs.js');
  const proofs = openProofs(configDir);
  const resolved = await resolveProfile({
    store: openStore(configDir),
    options,
    env: world.env,
    get zone() {
      return world.zone;
    },
    signal: world.interrupted,
    commandTimeoutMs: options.timeout * 1000,
    // Opening standard input takes time, and only a key command needs to know.
    get hasTerminal() {
      return world.stdin.isTTY === true;
    },
    proof: (candidate) => proofs.proofOf(candidate),
    note: (text) => notes.note(text),
  });
  run.keys.push(resolved.key.value);
  run.learn({ jsonWanted: resolved.output.value, secrets: run.keys });
  const { redact } = await import('../../items/secrets/redact.js');
  run.mask = (text) => redact(text, run.keys);
  return resolved;
}

/** @throws CopsError usage for a format that only files have */
async function refuseFormat(argv: readonly string[], format: string): Promise<void> {
  const { answerWrongLine } = await import('../guess/wrong-line.js');
  const { refusal } = await answerWrongLine({ failed: 'format', argv, format });
  if (refusal) throw refusal;
}

async function settingsOf({ shared, options, defaults, learn }: Run): Promise<ScreenSettings> {
  const { world, command } = shared;
  const known = defaults();
  learn({ jsonWanted: known?.output.value ?? options.output });
  // A command's own text output; no format changes it.
  const asked = (await isOwnFormat(command, options.output)) ? 'table' : (options.output ?? known?.output.value);
  if (asked && !FORMATS.some((known) => known === asked.toLowerCase())) await refuseFormat(world.argv, asked);
  const format = asked ? formatNamed(asked) : world.stdout.isTTY === true ? 'table' : 'json';
  const { columns, query, template, wide, raw, csvSafe, times } = options;
  const excel = options.excel ? excelOf(world.env) : undefined;
  return {
    format,
    columns,
    columnsOf: known?.columns,
    query,
    template,
    wide,
    raw,
    csvSafe,
    times,
    excel,
    get tz() {
      return known?.tz.value ?? options.tz ?? world.zone;
    },
  };
}

async function prompterOf({ shared: { world, notes }, options, held }: Run): Promise<Prompter> {
  const { makePrompter } = await import('../prompts/prompter.js');
  const color = colourLevel(world.env, world.stderr, options.color) > 0;
  const settled = (): Promise<void> => {
    held.tell();
    return notes.settled();
  };
  return makePrompter({ world, input: options.input, color, settled });
}

/** Whether a word is a format that only this command writes (`setup graph -o dot`). */
async function isOwnFormat(command: string, asked: string | undefined): Promise<boolean> {
  if (asked === undefined || formatTraits(asked.toLowerCase())) return false;
  const [head = '', second = ''] = command.split(' ');
  const { commandSpec } = await import('../commands/index.js');
  const spec = commandSpec(head);
  const meant = spec?.commands ? spec.commands.find(({ name }) => name === second) : spec;
  return meant?.formats?.includes(asked.toLowerCase()) === true;
}

/** For a command that does not say how many it needs: a list requests some pages ahead. */
const FEW_CONNECTIONS = 4;

/** Opens the transport of the resolved profile: the network or the embedded service. */
async function openWay(context: Context, connections?: number): Promise<Transport> {
  const { world, options } = context;
  const profile = await context.profile();
  const log = options.logFormat === 'json' ? await import('../../service/http/request-log.js') : undefined;
  const logged = (opened: Transport) => {
    const way = world.through?.(opened) ?? opened;
    return log?.logRequests(way, { now: () => world.now(), write: (line) => context.notes.record?.(line) }) ?? way;
  };
  const guarded = (way: Transport) => (options.dryRun ? onlyReading(logged(way)) : logged(way));
  if (profile.embedded) {
    const { openSandbox } = await import('../../sandbox/serve/embedded.js');
    const { dryRun: isTrial } = options;
    return guarded(
      await openSandbox({
        dataDir: context.dataDir,
        key: profile.key.value,
        now: () => world.now(),
        isTrial,
        functionThread: world.functionThread,
      }),
    );
  }
  if (world.confined) throw usage('A scenario reaches its own copy of the sandbox alone.');
  const { openTransport } = await import('../../service/http/client.js');
  const way = await openTransport({
    baseUrl: profile.baseUrl.value,
    key: profile.key.value,
    tls: await tlsOf(context, profile),
    env: world.env,
    userAgent: `cops/${world.version}`,
    connections: connections ?? FEW_CONNECTIONS,
    isLong: connections !== undefined,
    tuneEngine: world.tuneEngine,
    trace: options.debug ? (line: string) => atOnce(context.notes).warn(line) : undefined,
  });
  return guarded(way);
}

/** The certificates a profile names; most name none and load nothing here. */
async function tlsOf({ world, configDir, options }: Context, profile: Profile): Promise<TlsMaterial | undefined> {
  const { caFile, clientCert, clientKey } = profile;
  const settings = { caFile: caFile.value, clientCert: clientCert.value, clientKey: clientKey.value };
  if (Object.values(settings).every((value) => value === undefined)) return undefined;
  const { readTls } = await import('../../account/profiles/tls-files.js');
  const reading = { env: world.env, configDir, signal: world.interrupted, commandTimeoutMs: options.timeout * 1000 };
  return readTls(settings, profile.name.value, reading);
}

/** The transport of a dry run: stops any write that no command held back. */
const onlyReading = (way: Transport): Transport => ({
  ...way,
  async send(request: ServiceRequest, options: SendOptions) {
    if (request.method !== 'GET') throw new Would(`send ${request.method} ${request.path}`);
    return way.send(request, options);
  },
});

/** Output and zone of the profile, found without its key; undefined where no profile can be used. */
function defaultsOf(world: World, options: GlobalOptions, configDir: string): Defaults | undefined {
  try {
    return resolveDefaults(settling(world, options, configDir));
  } catch {
    // A command that needs the profile reports what is wrong with it; any other still needs an output format.
    return undefined;
  }
}

/** Makes a value at the first call, and returns it at every call. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
