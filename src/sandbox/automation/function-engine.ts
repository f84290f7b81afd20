import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { FunctionStub, KeptThread } from '../../base/world.js';
import type { Value } from '../store/item-values.js';

/** The inputs of a function. */
export interface FunctionJob {
  readonly code: string;
  /** The value of `event`. */
  readonly event: Value;
  /** The environment variables of the function. */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox's clock, milliseconds. */
  readonly now: number;
  readonly limits?: Partial<FunctionLimits> | undefined;
}

export interface FunctionLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
}

/** The outcome of a run. */
export interface FunctionResult {
  readonly outcome: 'success' | 'error' | 'timeout' | 'memory';
  /** JSON text of the value passed to the callback. */
  readonly result?: string;
  readonly error?: string;
  readonly logs: readonly { readonly level: string; readonly message: string }[];
  /** Number of logged lines that were not kept. */
  readonly dropped: number;
}

/** Limits of time and memory for one run. reading: function-limits */
export const LIMITS: FunctionLimits = { timeMs: 5000, memoryBytes: 64 * 1024 * 1024 };
/** Built-in loops of the engine ignore the time limit, so its thread is ended this many milliseconds after it. */
const GRACE_MS = 500;

interface Answer extends FunctionResult {
  readonly broken?: boolean;
}

/**
 * Runs the code of functions one after the other in a separate thread: without network, files or modules, and with hard
 * limits of time and memory.
 */
export class FunctionEngine {
  readonly #own: KeptThread = { worker: undefined };

  /** @param kept a thread that outlives this engine, for the next one */
  constructor(private readonly kept?: KeptThread) {}

  /** Never throws: errors are part of the result. */
  run(job: FunctionJob): Promise<FunctionResult> {
    const thread = this.kept ?? this.#own;
    const result = Promise.resolve(thread.last).then(() => this.#run(job, thread));
    thread.last = result;
    return result;
  }

  async close(): Promise<void> {
    await endKeptThread(this.#own);
  }

  async #run(job: FunctionJob, thread: KeptThread): Promise<FunctionResult> {
    const { limits: given, ...inputs } = job;
    const limits = { ...LIMITS, ...given };
    thread.worker ??= await openRunner();
    const { worker } = thread;
    worker.ref();
    const { broken, ...result } = await ask(worker, { ...inputs, ...limits, stubs: thread.stubs }, limits.timeMs);
    worker.unref();
    if (broken) await endKeptThread(thread);
    return result;
  }
}

/** Ends the thread, if one is running. */
export async function endKeptThread(thread: KeptThread): Promise<void> {
  const { worker } = thread;
  thread.worker = undefined;
  // A run that is cut short lets go of the thread meanwhile: something else keeps the process alive until it has ended.
  const held = setInterval(() => undefined, 1000);
  try {
    await worker?.terminate();
  } finally {
    clearInterval(held);
  }
}

interface AskedRun extends Omit<FunctionJob, 'limits'>, FunctionLimits {
  readonly stubs: readonly FunctionStub[] | undefined;
}

function ask(worker: Worker, message: AskedRun, timeMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const done = (answer: Answer) => {
      clearTimeout(timer);
      worker.off('message', done).off('error', failed).off('exit', left);
      resolve(answer);
    };
    const broken = (outcome: 'error' | 'timeout', error: string) =>
      done({ outcome, error, logs: [], dropped: 0, broken: true });
    const failed = (error: Error) => broken('error', `The engine failed: ${error.message}`);
    const left = () => broken('error', 'The engine ended.');
    const timer = setTimeout(() => broken('timeout', `The function ran longer than ${timeMs} ms.`), timeMs + GRACE_MS);
    worker.on('message', done).on('error', failed).on('exit', left);
    worker.postMessage(message);
  });
}

/** The runner's file next to the bundle; set by `scripts/build.mjs`. */
declare const __FUNCTION_RUNNER_FILE__: string | undefined;
/** The asset with the runner's text inside an executable; set by `scripts/release/bundle.mjs`. */
declare const __FUNCTION_RUNNER_ASSET__: string | undefined;

/**
 * Starts the thread of `runner.mjs` and waits until its engine is loaded. The thread does not see this process's
 * environment.
 */
async function openRunner(): Promise<Worker> {
  // Every line on the sandbox loads this file, and few start a thread.
  const { Worker } = await import('node:worker_threads');
  // What the engine prints when it gives up does not belong in the output.
  const options = { env: {}, execArgv: [], stdout: true, stderr: true, name: 'functions' };
  const worker =
    typeof __FUNCTION_RUNNER_ASSET__ === 'string'
      ? new Worker((await import('node:sea')).getAsset(__FUNCTION_RUNNER_ASSET__, 'utf8'), { ...options, eval: true })
      : new Worker(runnerFile(), options);
  await once(worker, 'message');
  return worker;
}

function runnerFile(): URL {
  const name = typeof __FUNCTION_RUNNER_FILE__ === 'string' ? __FUNCTION_RUNNER_FILE__ : './runner.mjs';
  return new URL(name, import.meta.url);
}
