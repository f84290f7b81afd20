import { PassThrough } from 'node:stream';
import { CopsError, stopped } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';

/** A terminal counts as quiet after this long without input, milliseconds. */
const QUIET_MS = 30;

/** How many times to wait for that. */
const ROUNDS = 60;

/**
 * The keys of a terminal as one question receives them. Anything typed or pasted before the question appears does not
 * answer it: it is read and discarded, up to `open`. Only for standard input that is a terminal and not used as data.
 */
export class FreshInput extends PassThrough {
  readonly isTTY = true;
  #isOpen = false;
  #dropped = false;
  #stop = false;
  readonly #terminal: NodeJS.ReadStream;

  constructor(terminal: NodeJS.ReadStream) {
    super();
    this.#terminal = terminal;
    terminal.on('data', this.#take).on('end', this.#end).on('close', this.#end).on('error', this.#end);
  }

  get isRaw(): boolean {
    return this.#terminal.isRaw;
  }

  setRawMode(raw: boolean): this {
    this.#terminal.setRawMode(raw);
    return this;
  }

  /**
   * Discards waiting terminal input until it is quiet. Switches to raw mode and stays there: an unfinished line cannot
   * be read otherwise.
   * @throws CopsError interrupted (130) for a Ctrl-C in that input; stopped (12) if the input ends, or never stops
   */
  async settle(message: string, world: Pick<World, 'sleep' | 'interrupted'>): Promise<void> {
    this.setRawMode(true);
    this.#terminal.resume();
    for (let round = 0; round < ROUNDS; round++) {
      this.#dropped = false;
      await world.sleep(QUIET_MS, world.interrupted);
      await turn();
      if (this.#stop) throw interrupted();
      if (this.readableEnded || this.writableEnded) throw inputEnded(message);
      if (!this.#dropped) return;
    }
    throw stopped(
      `Input keeps coming before the question can be asked: ${message}`,
      'Nothing was done. Type at the terminal once the question is shown.',
    );
  }

  /** From here on keys count; call it once the question is on the screen. Discards everything typed before. */
  async open(): Promise<void> {
    await turn();
    this.#isOpen = true;
    if (this.#stop) throw interrupted();
  }

  /** Releases the terminal; an open one would keep the process alive. */
  release(): void {
    this.#terminal.off('data', this.#take).off('end', this.#end).off('close', this.#end).off('error', this.#end);
    if (!this.#terminal.destroyed) this.#terminal.setRawMode(false);
    this.#terminal.pause();
  }

  readonly #take = (chunk: Buffer | string): void => {
    if (this.#isOpen) return void this.write(chunk);
    this.#dropped = true;
    this.#stop ||= chunk.toString().includes('\x03');
    // If the input ended before raw mode, the end arrives as a key: NUL from a program that runs a terminal, or Ctrl-D.
    if (/[\0\x04]/.test(chunk.toString())) this.#end();
  };

  readonly #end = (): void => {
    if (!this.writableEnded) this.end();
  };
}

/** Waits one whole turn of the event loop, in which waiting terminal input is read. */
async function turn(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** One question in inquirer's terms. */
export interface Question {
  readonly type: 'input' | 'password' | 'search';
  readonly message: string;
  readonly default?: string;
  /** For a search: the choices that match what was typed so far. */
  readonly source?: (typed: string | undefined) => readonly object[];
  /** For a search: how many lines are visible at a time. */
  readonly pageSize?: number;
  /** True where Esc leaves the question; its answer is then undefined. */
  readonly mayLeave?: boolean;
  /** For a question that guards something: whether an answer allows it. */
  readonly accepts?: (answer: string) => boolean;
  readonly mask?: string;
  /** True where a key press may reveal masked input. */
  readonly toggleMask?: boolean;
}

/** The error for Ctrl-C at a question. */
export const interrupted = (): CopsError => new CopsError('interrupted', 'Interrupted.', { exitCode: 130 });

/** The error for input that ended before an answer. */
export const inputEnded = (message: string): CopsError =>
  stopped(`The input ended before an answer: ${message}`, 'Nothing was done.');
