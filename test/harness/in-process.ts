import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { World } from '../../src/base/world.js';
import { run, watchSignals } from '../../src/main.js';
import { type Clock, QuickClock } from './clock.js';
import { Input, Output, type OutputOptions } from './streams.js';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** How a run ended, whether it was one of this process or a process of its own. */
export interface Ran {
  /** Exit code; null where it was ended from outside. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input; empty without it. */
  readonly input?: string | Buffer;
  readonly cwd?: string;
  /** A run that takes longer is given up, as a process would be killed: code null, signal SIGKILL. */
  readonly timeoutMs?: number;
  /** A terminal at both ends, so many columns wide: stdin, stdout and stderr. `stdout` and `stderr` win over it. */
  readonly terminal?: number;
  readonly stdout?: OutputOptions;
  readonly stderr?: OutputOptions;
  /** The clock and the pauses of the program: a `QuickClock`, which waits for none, unless told. */
  readonly clock?: Clock;
  readonly uuid?: () => string;
  readonly random?: () => number;
  readonly nodeVersion?: string;
  /** The file that the program would have been started from; it knows none without. */
  readonly program?: World['program'];
  /** Is told of each line that an error proposes; without it, one that would not run ends the run with a fault of its own. */
  readonly onProposal?: World['onProposal'];
  /** Stands for the pager of the machine; without it there is none. */
  readonly openPager?: World['openPager'];
  /** Stands for a process of its own of the program; without it there is none. */
  readonly runAgain?: World['runAgain'];
}

/** A run of the program in this process that a test can type to, interrupt and look at while it goes on. */
export interface Running {
  readonly ended: Promise<Ran>;
  /** What the program has written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Types keys, or sends bytes through the pipe. */
  readonly type: (text: string) => void;
  /** Ends standard input. */
  readonly endInput: () => void;
  /** Ctrl-C or termination, as the process would get it. */
  readonly signal: (name: 'SIGINT' | 'SIGTERM') => void;
}

/** Runs a command line of the program in this process, from the sources. */
export function runInProcess(args: readonly string[], options: InProcessOptions = {}): Promise<Ran> {
  const running = startInProcess(args, options);
  running.endInput();
  return running.ended;
}

/** Starts a command line of the program in this process; standard input stays open. */
export function startInProcess(args: readonly string[], options: InProcessOptions = {}): Running {
  const { stdin, stdout, stderr } = streamsOf(options);
  const clock = options.clock ?? new QuickClock();
  const machine = new FakeProcess();
  const signals = watchSignals(machine);
  const env = Object.fromEntries(Object.entries(options.env ?? {}).filter((entry) => entry[1] !== undefined));
  const world: World = {
    argv: args,
    env,
    cwd: options.cwd ?? ROOT,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    print: (text, aside) => {
      printTo(stdout, text);
      if (aside && stdout.isTTY && stderr.isTTY) printTo(stderr, aside);
    },
    now: () => clock.now(),
    zone: env.TZ || 'UTC',
    version,
    nodeVersion: options.nodeVersion ?? process.versions.node,
    program: options.program,
    uuid: options.uuid ?? randomUUID,
    random: options.random ?? Math.random,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    interrupted: signals.interrupted,
    onSignal: signals.onSignal,
    openPager: options.openPager,
    runAgain: options.runAgain,
    onProposal: options.onProposal ?? refuseWrong,
  };
  const stopped = once(machine, 'exit').then(() => ({ code: machine.exitCode ?? null, signal: null }));
  const ended = Promise.race([ending(world), stopped, tooLong(options.timeoutMs ?? 30_000)]).then((end) => {
    stdin.destroy();
    return { ...end, stdout: stdout.text, stderr: stderr.text };
  });
  return {
    ended,
    stdout: () => stdout.text,
    stderr: () => stderr.text,
    type: (text) => void afterAMoment().then(() => stdin.write(text)),
    endInput: () => void stdin.end(),
    signal: (name) => void machine.emit(name),
  };
}

function refuseWrong(line: string, fault: string | undefined): void {
  if (fault !== undefined) throw new Error(`A line is proposed that would not run: cops ${line} (${fault})`);
}

/** As long as the fastest fingers take: what is typed in the very turn that draws a question is older than it. */
async function afterAMoment(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

function streamsOf(options: InProcessOptions) {
  const terminal = options.terminal === undefined ? {} : { columns: options.terminal };
  const stdin = new Input(options.terminal !== undefined);
  stdin.on('error', () => {});
  if (options.input !== undefined) stdin.write(options.input);
  return {
    stdin,
    stdout: new Output({ ...terminal, ...options.stdout }),
    stderr: new Output({ ...terminal, ...options.stderr }),
  };
}

/** What the program asks of its process for signals. */
class FakeProcess extends EventEmitter {
  exitCode: number | undefined;

  exit(): void {
    this.emit('exit');
  }
}

type End = Pick<Ran, 'code' | 'signal'>;

async function ending(world: World): Promise<End> {
  try {
    return { code: await run(world), signal: null };
  } catch (error) {
    world.stderr.write(`cops: ${error instanceof Error ? error.message : String(error)}\n`);
    return { code: 1, signal: null };
  } finally {
    // What was written last may still be on its way to a slow reader.
    await Promise.all([world.stdout, world.stderr].map(emptied));
  }
}

async function emptied(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength > 0 && !stream.errored) await new Promise((done) => stream.write('', done));
}

function tooLong(ms: number): Promise<End> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ code: null, signal: 'SIGKILL' }), ms).unref();
  });
}

function printTo(stdout: Output, text: string): void {
  try {
    stdout.print(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
