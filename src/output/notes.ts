import { sanitiseLines } from './sanitise.js';
import type { Busy, Notes } from './types.js';
import { wrapWords } from './width.js';

export interface NotesOptions {
  readonly stderr: NodeJS.WritableStream & { readonly columns?: number };
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
  /** True when standard error is a terminal. */
  readonly interactive: boolean;
  /** The terminal cannot redraw a line (`TERM=dumb`): progress comes as on a pipe, and nothing turns. */
  readonly plain?: boolean;
  /** Takes secrets out of what is said. */
  readonly hide?: (text: string) => string;
  now(): number;
}

const MINUTE = 60_000;
/** A terminal's progress line is not drawn more often than this, milliseconds. */
const REDRAW = 100;
const CLEAR = '\r\u001b[2K';
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

export interface AllNotes extends Notes {
  busy(text: string, delayMs?: number): Busy;
  /** From now on nothing is drawn, because a pager has the terminal; what is said comes when this ends. */
  hold(): () => void;
}

/**
 * Everything beside data, on standard error. Foreign text is made inert on a terminal; a broken standard error
 * is no reason to stop.
 */
export function makeNotes(options: NotesOptions): AllNotes {
  const { stderr, quiet, verbose, interactive, now } = options;
  const redraws = interactive && options.plain !== true;
  let turners = 0;
  let lineShown = false;
  let latest = '';
  let lastProgress: number | undefined;
  let progressing = false;
  let broken = false;
  let held: string[] | undefined;
  stderr.on('error', () => {
    broken = true;
  });
  const put = (text: string): void => {
    if (!broken) stderr.write(text);
  };
  const hide = options.hide ?? ((text: string) => text);
  const clean = (text: string): string => (interactive ? sanitiseLines(hide(text)) : hide(text));
  const laid = (text: string): string => (interactive ? wrapped(clean(text), stderr.columns || 80) : clean(text));
  const dim = (text: string): string => (options.color ? `\u001b[2m${text}\u001b[22m` : text);
  const yellow = (text: string): string => (options.color ? `\u001b[33m${text}\u001b[39m` : text);
  const draw = (text: string): void => {
    if (held) return;
    const width = stderr.columns || 80;
    const line = clean(text).replaceAll('\n', ' ');
    put(`${CLEAR}${line.length >= width ? `${line.slice(0, Math.max(0, width - 2))}…` : line}`);
    lineShown = true;
  };
  const clear = (): void => {
    if (lineShown) put(CLEAR);
    lineShown = false;
  };
  const say = (text: string): void => {
    if (held) {
      held.push(text);
      return;
    }
    const again = lineShown;
    clear();
    put(`${text}\n`);
    if (again && latest !== '') draw(latest);
  };
  return {
    note(text) {
      if (!quiet) say(laid(text));
    },
    warn(text) {
      say(yellow(laid(text)));
    },
    detail(text) {
      if (verbose && !quiet) say(dim(laid(text)));
    },
    progress(text) {
      if (quiet) return;
      const time = now();
      const pause = redraws ? REDRAW : MINUTE;
      progressing = true;
      latest = text;
      // A clock that was set back must not silence the line for hours.
      if (lastProgress !== undefined && time >= lastProgress && time - lastProgress < pause) return;
      lastProgress = time;
      if (redraws) draw(text);
      else if (!held) put(`${clean(text)}\n`);
    },
    hold() {
      clear();
      held ??= [];
      return () => {
        const texts = held ?? [];
        held = undefined;
        for (const text of texts) say(text);
      };
    },
    progressDone() {
      clear();
      latest = '';
      progressing = false;
      lastProgress = undefined;
    },
    busy(text, delayMs = 400) {
      // Several waits at once show one sign; a progress line says more than a sign does.
      if (quiet || !redraws || turners > 0) return { done: () => undefined };
      turners++;
      let frame = 0;
      let over = false;
      let turning: NodeJS.Timeout | undefined;
      const turn = (): void => {
        if (progressing) return;
        latest = `${FRAMES[frame++ % FRAMES.length]} ${text}`;
        draw(latest);
      };
      const start = setTimeout(() => {
        turn();
        turning = setInterval(turn, 80);
        turning.unref();
      }, delayMs);
      start.unref();
      return {
        done() {
          if (over) return;
          over = true;
          turners--;
          clearTimeout(start);
          clearInterval(turning);
          if (progressing) return;
          latest = '';
          clear();
        },
      };
    },
  };
}

/** Broken at words, not by the terminal; a line with a command stays whole, because it is copied. */
function wrapped(text: string, columns: number): string {
  const line = (one: string): string => {
    if (one.length <= columns || /\bcops |^\s| {2}/.test(one)) return one;
    return wrapWords(one, columns, { width: (part) => part.length }).join('\n');
  };
  return text.split('\n').map(line).join('\n');
}
