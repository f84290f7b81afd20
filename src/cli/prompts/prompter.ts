import { type CopsError, stopped } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';
import { unmoved, unpainted } from '../../items/text/width.js';
import type { Prompter } from '../../session/context/context.js';
import { FreshInput, inputEnded, interrupted, type Question } from './fresh-input.js';
import { pickFrom } from './pick-one.js';

export interface PrompterOptions {
  readonly world: Pick<World, 'env' | 'stdin' | 'stderr' | 'interrupted' | 'sleep'>;
  /** False with `--no-input`. */
  readonly input: boolean;
  /** False without colour on standard error. */
  readonly color?: boolean;
  /** Resolves once all notes written before a question are on the screen. */
  readonly settled?: () => Promise<void>;
}

/**
 * Questions at the terminal, on standard error. Anything typed before a question appears does not answer it. Each
 * rejects with `interrupted` (exit code 130) on Ctrl-C and with `stopped` (exit code 12) when the terminal goes away,
 * the input ends, or nobody is there to answer.
 */
export function makePrompter(options: PrompterOptions): Prompter {
  const canPrompt = () => isSomebodyThere(options);
  const ask = async (question: Question): Promise<unknown> => {
    if (!canPrompt()) throw nobody(question.message);
    await options.settled?.();
    const { env } = options.world;
    if (isPlain(env)) return (await import('./plain-prompts.js')).askPlainly(question, options.world);
    return askWithInquirer(question, options);
  };
  return {
    canPrompt,
    confirm: async (message = 'Go ahead?') =>
      isYes(await ask({ type: 'input', message, default: 'y/N', accepts: isYes })),
    typed: async (message, expected) => {
      const accepts = (answer: unknown): boolean => answer === expected;
      return accepts(await ask({ type: 'input', message: ended(message), accepts }));
    },
    secret: async (message) =>
      String(await ask({ type: 'password', message: ended(message), mask: '*', toggleMask: false })),
    text: async (message, initial) => String(await ask({ type: 'input', message: ended(message), default: initial })),
    pick: (message, choices) =>
      pickFrom({ message, choices, ask, isPlain: isPlain(options.world.env), screen: options.world.stderr }),
  };
}

/**
 * Standard input and standard error are terminals, this is not a CI run, and `--no-input` is absent. A terminal already
 * read to its end as input (ids, a body) cannot answer.
 */
function isSomebodyThere({ world, input }: PrompterOptions): boolean {
  const ci = world.env.CI;
  const inCi = ci !== undefined && ci !== '' && ci !== '0' && ci.toLowerCase() !== 'false';
  // Standard input last: opening it takes time.
  return input && !inCi && world.stderr.isTTY === true && world.stdin.isTTY === true && !world.stdin.readableEnded;
}

async function askWithInquirer(question: Question, options: PrompterOptions): Promise<unknown> {
  const { world } = options;
  world.interrupted.throwIfAborted();
  const { default: inquirer } = await import('inquirer');
  const input = new FreshInput(world.stdin);
  const ending = watchEnd(input);
  const early = new AbortController();
  const left = new AbortController();
  const onKey = (_text: string | undefined, key: { name?: string } | undefined) => {
    if (question.mayLeave && key?.name === 'escape') left.abort();
  };
  input.on('keypress', onKey);
  const signal = AbortSignal.any([world.interrupted, ending.signal, early.signal, left.signal]);
  try {
    await input.settle(question.message, world);
    const shown = () => void input.open().catch((error) => early.abort(error));
    const output = watched(world.stderr, { colour: options.color !== false, shown });
    const prompt = inquirer.createPromptModule({ input: input as never, output, signal });
    const answers = await prompt([
      { ...question, ...(question.accepts && marked(question.accepts)), name: 'answer' } as never,
    ]);
    return (answers as { answer: unknown }).answer;
  } catch (error) {
    if (world.interrupted.aborted) throw world.interrupted.reason;
    if (early.signal.aborted) throw early.signal.reason;
    if (ending.signal.aborted) throw inputEnded(question.message);
    if (left.signal.aborted) return undefined;
    if (error instanceof Error && error.name === 'ExitPromptError') throw interrupted();
    throw error;
  } finally {
    input.off('keypress', onKey);
    ending.stop();
    input.release();
  }
}

/** A terminal that moves no cursor, or a person who has each line read aloud (`COPS_PLAIN=1`). */
const isPlain = ({ TERM, COPS_PLAIN }: World['env']): boolean =>
  TERM === 'dumb' || (COPS_PLAIN !== undefined && !['', '0', 'false'].includes(COPS_PLAIN.toLowerCase()));

/** Only a whole word counts as yes, so that a typo never confirms. */
const isYes = (answer: unknown): boolean => /^y(?:es)?$/i.test(String(answer).trim());

/** The mark of a question answered with a refusal: no tick for something that does not happen. */
const REFUSED = { done: '\u2716' };

/** Makes inquirer mark a question by its answer; it reads the theme each time it draws. */
function marked(accepts: (answer: string) => boolean): object {
  let isAccepted = false;
  const theme = {};
  Object.defineProperty(theme, 'prefix', { enumerable: true, get: () => (isAccepted ? {} : REFUSED) });
  return {
    theme,
    validate: (answer: string) => {
      isAccepted = accepts(answer);
      return true;
    },
  };
}

/**
 * Signals when the input ends during a question: Ctrl-D on an empty line, or the terminal went away. Inquirer leaves
 * such a question open forever. Ctrl-D closes the line reader, which pauses the stream at the same moment.
 */
function watchEnd(input: NodeJS.ReadableStream): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let paused = false;
  let endKey = false;
  const forget = () => {
    paused = false;
    endKey = false;
  };
  const settle = () => {
    if (paused && endKey) controller.abort();
    setImmediate(forget);
  };
  const onKey = (_text: string | undefined, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl !== true || key.name !== 'd') return;
    endKey = true;
    settle();
  };
  const onPause = () => {
    paused = true;
    settle();
  };
  const onEnd = () => controller.abort();
  input.on('keypress', onKey).on('pause', onPause).on('end', onEnd).on('close', onEnd).on('error', onEnd);
  return {
    signal: controller.signal,
    stop: () => {
      input.off('keypress', onKey).off('pause', onPause).off('end', onEnd).off('close', onEnd).off('error', onEnd);
    },
  };
}

/** The stream without unwanted colours; calls `shown` on the first visible text. */
function watched(stream: NodeJS.WriteStream, how: { colour: boolean; shown: () => void }): NodeJS.WriteStream {
  let isShown = false;
  const write = (chunk: unknown, ...rest: []) => {
    const text = String(chunk);
    const taken = stream.write(how.colour ? text : unpainted(text), ...rest);
    // Before the question, inquirer only moves and hides the cursor.
    if (!isShown && /\S/.test(unmoved(text))) {
      isShown = true;
      how.shown();
    }
    return taken;
  };
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      // A finished question ends its output; ours stays open.
      if (name === 'end') return () => stream;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A question that already ends in punctuation keeps it. */
const ended = (message: string): string => (/[?:.]$/.test(message) ? message : `${message}:`);

const nobody = (message: string): CopsError =>
  stopped(
    `Nobody is there to answer: ${message}`,
    'Questions need a terminal on standard input and standard error, without --no-input and outside CI. --help shows the options to use in a script.',
  );
