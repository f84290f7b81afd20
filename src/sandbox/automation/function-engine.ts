import type { Worker } from 'node:worker_threads';
import type { KeptThread } from '../../base/world.js';
import type { Value } from '../store/item-values.js';
import { openRunner } from './runner-file.js';

/** What a function is given. */
export interface FunctionJob {
  readonly code: string;
  /** What it finds as `event`. */
  readonly event: Value;
  /** The variables that it finds in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox's clock, milliseconds. */
  readonly now: number;
  readonly limits?: Partial<FunctionLimits> | undefined;
}

export interface FunctionLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
}

/** What became of a run. */
export interface FunctionResult {
  readonly outcome: 'success' | 'error' | 'timeout' | 'memory';
  /** JSON text of what the callback was given. */
  readonly result?: string;
  readonly error?: string;
  readonly logs: readonly { readonly level: string; readonly message: string }[];
  /** Lines that were logged beyond those kept. */
  readonly dropped: number;
}

/** Time and memory of one run. reading: function-limits */
export const LIMITS: FunctionLimits = { timeMs: 5000, memoryBytes: 64 * 1024 * 1024 };
/** Built-in loops of the engine do not look at the clock: after so long beyond the limit its thread is ended. */
const GRACE_MS = 500;

interface Answer extends FunctionResult {
  readonly broken?: boolean;
}

/**
 * Runs code of functions in a thread of its own, one after the other: no network, no files, no modules, and an end to
 * time and memory whatever the code does.
 */
export class FunctionEngine {
  readonly #own: KeptThread = { worker: undefined };

  /** @param kept a thread that stays at the close, for who comes next */
  constructor(private readonly kept?: KeptThread) {}

  /** Never throws: what went wrong is in the outcome. */
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
    const { broken, ...result } = await ask(worker, { ...inputs, ...limits }, limits.timeMs);
    worker.unref();
    if (broken) await endKeptThread(thread);
    return result;
  }
}

/** Ends a thread, if there is one. */
export async function endKeptThread(thread: KeptThread): Promise<void> {
  const { worker } = thread;
  thread.worker = undefined;
  await worker?.terminate();
}

function ask(worker: Worker, message: Omit<FunctionJob, 'limits'> & FunctionLimits, timeMs: number): Promise<Answer> {
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
