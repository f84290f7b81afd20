import { PassThrough } from 'node:stream';
import { CopsError, stopped } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';

/** A terminal is taken for quiet when nothing came for so long, milliseconds. */
const QUIET_MS = 30;

/** How often that is waited for. */
const ROUNDS = 60;

/**
 * The keys of a terminal as one question hears them. What was typed or pasted before the question stood there answers
 * nothing: it is read and thrown away, up to `open`. Only for standard input that is a terminal and nobody's data.
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
   * Throws away what waits at the terminal, until it is quiet. Raw, since a line that was begun and not ended cannot be
   * read otherwise; it stays raw.
   * @throws CopsError interrupted (130) for a Ctrl-C among it; stopped (12) at the end of the input, or when it never ends.
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
      'Nothing was done. Type at the terminal once the question stands there.',
    );
  }

  /** From here on keys are heard; called when the question stands there. What came up to now is still thrown away. */
  async open(): Promise<void> {
    await turn();
    this.#isOpen = true;
    if (this.#stop) throw interrupted();
  }

  /** Lets the terminal go; an open one would keep the process alive. */
  release(): void {
    this.#terminal.off('data', this.#take).off('end', this.#end).off('close', this.#end).off('error', this.#end);
    if (!this.#terminal.destroyed) this.#terminal.setRawMode(false);
    this.#terminal.pause();
  }

  readonly #take = (chunk: Buffer | string): void => {
    if (this.#isOpen) return void this.write(chunk);
    this.#dropped = true;
    this.#stop ||= chunk.toString().includes('\x03');
  };

  readonly #end = (): void => {
    if (!this.writableEnded) this.end();
  };
}

/** One whole turn of the event loop: what waits at the terminal is read in it. */
async function turn(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** One question in the terms of inquirer. */
export interface Question {
  readonly type: 'input' | 'password' | 'select' | 'search';
  readonly message: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Of a search: what there is for what was typed so far. */
  readonly source?: (typed: string | undefined) => readonly object[];
  /** Of a search: how many lines of it are seen at once. */
  readonly pageSize?: number;
  /** True where Esc leaves the question, which is then answered by undefined. */
  readonly mayLeave?: boolean;
  /** Of a question that guards something: whether an answer lets it happen. */
  readonly accepts?: (answer: string) => boolean;
  readonly mask?: string;
  /** True where a key press could show what is masked. */
  readonly toggleMask?: boolean;
}

/** The person stopped it at a question. */
export function interrupted(): CopsError {
  return new CopsError('interrupted', 'Interrupted.', { exitCode: 130 });
}

/** Nobody answers any more. */
export function inputEnded(message: string): CopsError {
  return stopped(`The input ended before an answer: ${message}`, 'Nothing was done.');
}
