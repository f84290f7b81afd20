import { setMaxListeners } from 'node:events';
import { fstatSync, readlinkSync, realpathSync, writeSync } from 'node:fs';
import { randomUUID } from './base/random.js';
import { HOT_ONLY, type LastWords, NO_HOME, type World } from './base/world.js';

/** Defined by the build. */
declare const __VERSION__: string;

const UPDATING = 'How to update it: cops update\n';

/**
 * Runs one command line in a world and returns its exit code. Anything the shortest answers do not need loads through a
 * dynamic import.
 */
export async function run(world: World): Promise<number> {
  try {
    return await answer(world);
  } catch (error) {
    const { reportFailure } = await import('./cli/program/report.js');
    return reportFailure(world, error, {});
  }
}

async function answer(world: World): Promise<number> {
  const [first] = world.argv;
  if (world.argv.length === 1 && (first === '--version' || first === '-V'))
    return printed(world, `${world.version}\n`, UPDATING);
  if (first === '__complete') {
    const { complete } = await import('./cli/completion/complete.js');
    return printed(world, await complete(world));
  }
  if (
    world.argv.length === 0 ||
    (world.argv.length === 1 && (first === '--help' || first === '-h' || first === 'help'))
  ) {
    const { rootHelp } = await import('./cli/help/root-help.js');
    return printed(world, rootHelp(false, world.env));
  }
  const { familyByCommand } = await import('./catalogue/index.js');
  // A family's own word is never an alias.
  const isFamily = familyByCommand(first ?? '') !== undefined;
  const { argv, aliased } = isFamily
    ? { argv: world.argv, aliased: [] }
    : await (await import('./cli/parser/alias.js')).expandAlias(world);
  if (argv.some(asksForHelp)) {
    const { fittedHelp, helpAsked } = await import('./cli/help/help.js');
    const help = await helpAsked(argv, world);
    if (help !== undefined) return printed(world, await fittedHelp(help, world));
  }
  const { runProgram } = await import('./cli/program/program.js');
  // Not a copy: copying would read the world's `stdin`, which opens it.
  return runProgram(Object.create(world, { argv: { value: argv } }) as World, aliased);
}

async function printed(world: World, text: string, aside?: string): Promise<0> {
  try {
    world.print(text, aside);
  } catch (error) {
    const { outputFault } = await import('./screen/output-formats.js');
    throw outputFault(error as NodeJS.ErrnoException);
  }
  return 0;
}

function asksForHelp(word: string): boolean {
  return ['-h', '--help', '--help-all', '-V', '--version', 'help'].includes(word);
}

/** Builds the world of a real process, runs its command line and sets its exit code. */
export function start(process: NodeJS.Process): void {
  giveHome(process);
  const world = worldOf(process);
  // The exit code until the run sets its own: a run that waits forever must not pass as a success.
  process.exitCode = 1;
  run(world).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      world.stderr.write(`cops: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}

/** A user without HOME and without an entry in the user database makes Node and libraries throw: they get a home of nobody. */
function giveHome(process: NodeJS.Process): void {
  if (process.env.HOME) return;
  try {
    process.getBuiltinModule('node:os').homedir();
  } catch {
    process.env.HOME = NO_HOME;
  }
}

/** Each part that takes time to make (streams, signals, the zone) is made on first use. */
function worldOf(process: NodeJS.Process): World {
  const signals = once(() => watchSignals(process));
  const stdout = once(() => deafened(process.stdout));
  const stderr = once(() => deafened(process.stderr));
  const zone = once(() => machineZone(process.env.TZ));
  let uuids = 0;
  return {
    argv: process.argv.slice(2),
    env: process.env,
    get cwd() {
      return process.cwd();
    },
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return stdout();
    },
    print: (text, aside) => {
      print(text, stdout);
      if (aside && isDevice(1) && isDevice(2) && stdout().isTTY && stderr().isTTY) stderr().write(aside);
    },
    get stderr() {
      return stderr();
    },
    now: () => Date.now(),
    get started() {
      return Math.floor(Date.now() - process.uptime() * 1000);
    },
    get zone() {
      return zone();
    },
    version: __VERSION__,
    nodeVersion: process.versions.node,
    get program() {
      return programOf(process);
    },
    // A bulk run needs many, which Node's own cryptography makes faster once it is loaded.
    uuid: () => (uuids++ === 0 ? randomUUID() : globalThis.crypto.randomUUID()),
    random: () => Math.random(),
    sleep,
    get interrupted() {
      return signals().interrupted;
    },
    onSignal: (handler) => signals().onSignal(handler),
    holdUntilTold: (lastWords) => signals().holdUntilTold(lastWords),
    tuneEngine: (...flags) => {
      // A later engine would write on standard error that it does not know the flag.
      const known = flags.filter((flag) => flag !== HOT_ONLY || Number.parseInt(process.versions.v8, 10) < 12);
      for (const flag of known) process.getBuiltinModule?.('node:v8')?.setFlagsFromString(flag);
    },
    runAgain: async (words, signal) => (await import('./base/own-process.js')).runAgain(process, words, signal),
    openPager: async (command, env) => {
      const { startPager } = await import('./screen/pager-command.js');
      const { childEnvironment } = await import('./account/profiles/command.js');
      const { configFolder } = await import('./account/profiles/glance.js');
      const folder = configFolder({ env: process.env, cwd: process.cwd() });
      return startPager(command, env, childEnvironment(process.env, folder));
    },
    runProgram: async (file, args, env) => {
      const { runOnStreams } = await import('./cli/plugins/run-on-streams.js');
      return runOnStreams(file, args, env, signals().onSignal);
    },
  };
}

/** The zone of this machine. Most servers are on UTC, which their settings tell without loading the data of `Intl`. */
export function machineZone(given: string | undefined, link = '/etc/localtime'): string {
  let name = given;
  try {
    name ??= readlinkSync(link);
  } catch {
    // A copy instead of a link, or no such file.
  }
  if (name !== undefined && /^(?:.*\/zoneinfo\/)?(?:Etc\/)?UTC$/.test(name)) return 'UTC';
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function programOf(process: NodeJS.Process): World['program'] {
  const isExecutable = process.getBuiltinModule?.('node:sea')?.isSea() === true;
  const started = isExecutable ? process.execPath : process.argv[1];
  try {
    return started === undefined ? undefined : { path: realpathSync(started), isExecutable };
  } catch {
    return undefined;
  }
}

/** The write itself handles a reader that has gone away; without a listener the error would end the process. */
function deafened<T extends NodeJS.WriteStream>(stream: T): T {
  return stream.on('error', () => {});
}

/** True for a character device such as a terminal, false for a file or pipe; does not open the stream. */
function isDevice(descriptor: 1 | 2): boolean {
  return fstatSync(descriptor).isCharacterDevice();
}

function print(text: string, stdout: () => NodeJS.WriteStream): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A non-blocking pipe is full: the stream waits until it drains.
    if (code === 'EAGAIN') stdout().write(bytes.subarray(written));
    else if (code !== 'EPIPE' && code !== 'EOF') throw error;
  }
}

type Signals = Pick<World, 'interrupted' | 'onSignal'> & Required<Pick<World, 'holdUntilTold'>>;

/** What it takes to listen for a process's signals. */
export interface SignalProcess {
  on(signal: 'SIGINT' | 'SIGTERM', hear: () => void): unknown;
  exit(): void;
  exitCode?: NodeJS.Process['exitCode'];
}

/**
 * The signals of a process, as a world exposes them: the first stops the run, a second ends the process immediately.
 */
export function watchSignals(process: SignalProcess): Signals {
  const interrupt = new AbortController();
  // Each request in flight listens to it, and there are more of them than Node takes for a leak.
  setMaxListeners(0, interrupt.signal);
  const handlers: Parameters<World['onSignal']>[0][] = [];
  let count = 0;
  let lastWords: (() => LastWords) | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      count++;
      if (lastWords && count > 2) {
        endWith(process, lastWords());
        return;
      }
      const handler = handlers.at(-1);
      if (handler) {
        handler(signal, count);
        return;
      }
      const exitCode = signal === 'SIGINT' ? 130 : 143;
      process.exitCode = exitCode;
      if (count > 1 && !lastWords) process.exit();
      import('./base/errors/errors.js').then(({ CopsError }) => {
        const words = signal === 'SIGINT' ? 'Interrupted.' : 'Terminated.';
        interrupt.abort(new CopsError('interrupted', words, { exitCode }));
      });
    });
  }
  return {
    interrupted: interrupt.signal,
    holdUntilTold: (words) => {
      lastWords = words;
    },
    onSignal: (handler) => {
      handlers.push(handler);
      return () => {
        const at = handlers.indexOf(handler);
        if (at >= 0) handlers.splice(at, 1);
      };
    },
  };
}

function endWith(process: SignalProcess, { text, exitCode }: LastWords): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Nobody reads the output; the exit code still reports the failure.
  }
  process.exitCode = exitCode;
  process.exit();
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Makes a value at the first call, and returns it at every call. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
