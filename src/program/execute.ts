import { type Context, type GlobalOptions, lineFlags, type Prompter } from '../command/context.js';
import { withLineFlags } from '../command/line-flags.js';
import type { Job } from '../command/run.js';
import { CopsError } from '../errors/errors.js';
import type { Transport } from '../http/types.js';
import { excelOf } from '../output/excel.js';
import { formatTraits } from '../output/formats.js';
import type { Settings } from '../output/types.js';
import {
  configFolder,
  type Defaults,
  dataFolder,
  openStore,
  resolveDefaults,
  resolveProfile,
} from '../profiles/index.js';
import type { Profile } from '../profiles/types.js';
import type { World } from '../world.js';
import type { Failure } from './report.js';

/** Runs a parsed job: context, job, output, last words. Returns the exit code; throws what went wrong. */
export async function execute(
  world: World,
  options: GlobalOptions,
  job: Job,
  command: string,
  learn: (facts: Partial<Failure>) => void,
): Promise<number> {
  const [{ makeNotes }, { checkSettings, render }, { colourLevel }, { chooseFormat }, { throughPager }] =
    await Promise.all([
      import('../output/notes.js'),
      import('../output/render.js'),
      import('../output/colour.js'),
      import('../output/choose-format.js'),
      import('./through-pager.js'),
    ]);
  const flags = lineFlags(options);
  let hide = (text: string): string => text;
  const notes = makeNotes({
    stderr: world.stderr,
    quiet: options.quiet,
    verbose: options.verbose,
    color: colourLevel(world.env, world.stderr, options.color) > 0,
    interactive: world.stderr.isTTY === true,
    plain: world.env.TERM === 'dumb',
    hide: (text) => hide(withLineFlags(text, flags)),
    now: () => world.now(),
  });
  const folders = { env: world.env, cwd: world.cwd };
  const configDir = configFolder(folders);
  const dataDir = dataFolder(folders);
  const keys: string[] = [];
  const ways: Promise<Transport>[] = [];

  const profileFor = (chosen: GlobalOptions) => async (): Promise<Profile> => {
    const { openProofs } = await import('../safety/proofs.js');
    const proofs = openProofs(configDir);
    const resolved = await resolveProfile({
      store: openStore(configDir),
      options: chosen,
      env: world.env,
      get zone() {
        return world.zone;
      },
      signal: world.interrupted,
      proof: (candidate) => proofs.proofOf(candidate),
      note: (text) => notes.note(text),
    });
    keys.push(resolved.key.value);
    learn({ jsonWanted: resolved.output.value, secrets: keys });
    const { redact } = await import('../secrets/redact.js');
    hide = (text) => redact(text, keys);
    return resolved;
  };

  const settings = once(async (): Promise<Settings> => {
    const known = defaultsOf(world, options, configDir);
    learn({ jsonWanted: known?.output.value ?? options.output });
    // What a command writes itself is text, which every format leaves as it is.
    const asked = (await isOwnFormat(command, options.output)) ? 'table' : (options.output ?? known?.output.value);
    const format = chooseFormat(asked, world.stdout.isTTY === true);
    return {
      ...settingsOnLine(options, format, world.env),
      get tz() {
        return known?.tz.value ?? options.tz ?? world.zone;
      },
    };
  });

  const prompter = once(async (): Promise<Prompter> => {
    const { makePrompter } = await import('./prompter.js');
    return makePrompter({
      world,
      input: options.input,
      color: colourLevel(world.env, world.stderr, options.color) > 0,
    });
  });
  const contextFor = (chosen: GlobalOptions): Context => {
    const profile = once(profileFor(chosen));
    let transport: Promise<Transport> | undefined;
    const made: Context = {
      world,
      options: chosen,
      notes,
      configDir,
      dataDir,
      command,
      profile,
      settings,
      transport: (connections) => {
        if (transport === undefined) {
          transport = openWay(made, connections);
          ways.push(transport);
        }
        return transport;
      },
      prompter,
      now: once(async () => {
        const known = await profile();
        if (!known.embedded) return world.now();
        const way = await made.transport();
        return (way as Transport & { now?: () => number }).now?.() ?? world.now();
      }),
      inEnvironment: (name, mode) => contextFor({ ...options, profile: name, mode, baseUrl: undefined }),
    };
    return made;
  };
  const context = contextFor(options);

  try {
    // A bad --output or --query must not be found out after a write was sent.
    await checkSettings(await settings());
    const done = await job(context);
    // Data must not come behind what is left of a progress line.
    notes.progressDone();
    if (done.result.shape !== 'nothing') {
      const chosen = await settings();
      const show = (stdout: NodeJS.WritableStream, note: (text: string) => void) =>
        render(done.result, chosen, {
          stdout,
          color: colourLevel(world.env, world.stdout, options.color) > 0,
          width: world.stdout.columns || 80,
          interactive: world.stdout.isTTY === true,
          note,
        });
      const paging = { world, notes, options, setting: () => defaultsOf(world, options, configDir)?.pager };
      const { closedPipe } = await throughPager(paging, done, chosen.format, show).catch((error: unknown) => {
        throw done.wrote ? doneButUnseen(error) : error;
      });
      if (closedPipe && !done.wrote) return 0;
    }
    notes.progressDone();
    const failed = await done.finish?.();
    if (failed) throw failed;
    return 0;
  } finally {
    notes.progressDone();
    for (const way of ways) await (await way.catch(() => undefined))?.close();
  }
}

/** Whether a word is a format that this command alone writes (`setup graph -o dot`). */
async function isOwnFormat(command: string, asked: string | undefined): Promise<boolean> {
  if (asked === undefined || formatTraits(asked.toLowerCase())) return false;
  const [head = '', second = ''] = command.split(' ');
  const { commandSpec } = await import('../commands/index.js');
  const spec = commandSpec(head)?.commands?.find(({ name }) => name === second);
  return spec?.formats?.includes(asked.toLowerCase()) === true;
}

/** A write whose answer could not be shown was made all the same: nobody is to repeat it for a full disk. */
function doneButUnseen(error: unknown): unknown {
  if (!(error instanceof CopsError)) return error;
  return new CopsError(error.kind, `It was sent and answered, but the answer could not be shown: ${error.message}`, {
    ...error.facts,
    hint: 'Do not repeat it: cops history list shows what became of it.',
  });
}

/** The output settings that the line itself gives. */
function settingsOnLine(options: GlobalOptions, format: Settings['format'], env: World['env']): Omit<Settings, 'tz'> {
  return {
    format,
    columns: options.columns,
    query: options.query,
    wide: options.wide,
    raw: options.raw,
    csvSafe: options.csvSafe,
    times: options.times,
    excel: options.excel ? excelOf(env) : undefined,
  };
}

/** Of a command that does not say how many it needs: a list asks for some pages ahead. */
const FEW_CONNECTIONS = 4;

/** Opens the way to the service of the resolved profile: the network, or the embedded service. */
async function openWay(context: Context, connections?: number): Promise<Transport> {
  const { world, options } = context;
  const profile = await context.profile();
  if (profile.embedded) {
    const { openSandbox } = await import('../sandbox/embedded.js');
    return openSandbox({ dataDir: context.dataDir, key: profile.key.value, now: () => world.now() });
  }
  const { openTransport } = await import('../http/client.js');
  return openTransport({
    baseUrl: profile.baseUrl.value,
    key: profile.key.value,
    env: world.env,
    userAgent: `cops/${world.version}`,
    connections: connections ?? FEW_CONNECTIONS,
    isLong: connections !== undefined,
    trace: options.debug ? (line: string) => context.notes.warn(line) : undefined,
  });
}

/** Output and zone of the profile, found without its key; undefined where no profile can be used. */
function defaultsOf(world: World, options: GlobalOptions, configDir: string): Defaults | undefined {
  try {
    const zone = {
      get zone() {
        return world.zone;
      },
    };
    return resolveDefaults(Object.assign(zone, { store: openStore(configDir), options, env: world.env }));
  } catch {
    // A command that needs the profile tells what is wrong with it; one that does not still has an output.
    return undefined;
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
