import type { Text } from '../base/text/command-line.js';
import { hideCards } from '../items/secrets/redact.js';
import { sanitiseLines } from '../items/text/inert.js';
import { wrapProse } from '../items/text/width.js';
import { barOf, percentOf, SOON_MS } from './meter.js';
import { CLEAR_LINE, FRAMES } from './style.js';
import type { Busy, Notes, Palette } from './types.js';

export interface NotesOptions {
  readonly stderr: NodeJS.WritableStream & { readonly columns?: number };
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colours: Palette;
  /** True when standard error is a terminal. */
  readonly interactive: boolean;
  /** `--log-format json`: each message is one line of JSON, for programs. */
  readonly json?: boolean;
  /** The terminal cannot redraw a line (`TERM=dumb`): progress appears as on a pipe, and there is no spinner. */
  readonly plain?: boolean;
  /** Renders a message that contains command lines; undefined where none of it may be shown. */
  readonly shown?: (text: Text) => Promise<string | undefined>;
  /** Removes secrets from messages. */
  readonly hide?: (text: string) => string;
  now(): number;
}

const MINUTE = 60_000;
/** A job shorter than this from its first sign of progress leaves no line on a pipe, in milliseconds. */
const PIPE_WAIT = 2000 - SOON_MS;
/** Shortest time between redraws of a progress line, in milliseconds. */
const REDRAW = 100;
/** A wait shorter than this many milliseconds shows no spinner. */
const SOON = 400;

export interface AllNotes extends Notes {
  busy(text: string): Busy;
  /** Stops drawing while a pager has the terminal; messages appear once the returned function is called. */
  hold(): () => void;
  /** Resolves once every message is written; the command lines in them are checked first. */
  settled(): Promise<void>;
}

/** The last line of a terminal, drawn and erased again, with messages printed above it. */
interface Line {
  /** The text last drawn, redrawn below each message. */
  latest: string;
  draw(text: string): void;
  clear(): void;
  say(text: string): void;
  /** Writes verbatim, unless something else has the terminal. */
  put(text: string): void;
  hold(): () => void;
}

function makeLine(options: NotesOptions, clean: (text: string) => string): Line {
  const { stderr } = options;
  let isShown = false;
  let broken = false;
  let held: string[] | undefined;
  stderr.on('error', () => {
    broken = true;
  });
  const write = (text: string): void => {
    if (!broken) stderr.write(text);
  };
  const line: Line = {
    latest: '',
    draw(text) {
      if (held) return;
      const width = stderr.columns || 80;
      const shown = clean(text).replaceAll('\n', ' ');
      write(`${CLEAR_LINE}${shown.length >= width ? `${shown.slice(0, Math.max(0, width - 2))}…` : shown}`);
      isShown = true;
    },
    clear() {
      if (isShown) write(CLEAR_LINE);
      isShown = false;
    },
    say(text) {
      if (held) {
        held.push(text);
        return;
      }
      const again = isShown;
      line.clear();
      write(`${text}\n`);
      if (again && line.latest !== '') line.draw(line.latest);
    },
    put(text) {
      if (!held) write(text);
    },
    hold() {
      line.clear();
      held ??= [];
      return () => {
        const texts = held ?? [];
        held = undefined;
        for (const text of texts) line.say(text);
      };
    },
  };
  return line;
}

/** Shows a spinner once a wait gets long, until it ends; `isOff` is true while another line is drawn. */
function turnSign(line: Line, text: string, isOff: () => boolean): Busy {
  let frame = 0;
  let turning: NodeJS.Timeout | undefined;
  const turn = (): void => {
    if (isOff()) return;
    line.latest = `${FRAMES[frame++ % FRAMES.length]} ${text}`;
    line.draw(line.latest);
  };
  const start = setTimeout(() => {
    turn();
    turning = setInterval(turn, 80);
    turning.unref();
  }, SOON);
  start.unref();
  return {
    done() {
      clearTimeout(start);
      clearInterval(turning);
      if (isOff()) return;
      line.latest = '';
      line.clear();
    },
  };
}

/** Messages in order: one whose command lines are still being checked holds back the later ones. */
function makeQueue(shown: NotesOptions['shown']) {
  let waiting: Promise<void> | undefined;
  return {
    add(text: Text, write: (shown: string) => void): void {
      if (waiting === undefined && (typeof text === 'string' || shown === undefined)) {
        write(String(text));
        return;
      }
      const before = waiting ?? Promise.resolve();
      const next = before.then(async () => {
        const ready = typeof text === 'string' || shown === undefined ? String(text) : await shown(text);
        if (ready !== undefined) write(ready);
        if (waiting === next) waiting = undefined;
      });
      // Awaiting the end shows the failure; until then it must not count as unhandled.
      next.catch(() => undefined);
      waiting = next;
    },
    settled: async (): Promise<void> => {
      await waiting;
    },
  };
}

/** A message as one line of JSON. */
function recordOf(now: number, level: string, message: string): string {
  return JSON.stringify({ time: new Date(now).toISOString(), level, message });
}

/** A line of progress with its share first: as a bar where the line is redrawn. */
function withShare(text: string, share: number | undefined, isDrawn: boolean): string {
  return share === undefined ? text : `${isDrawn ? barOf(share) : percentOf(share).trim()} · ${text}`;
}

/**
 * Everything except data, on standard error. Foreign text is made inert on a terminal; a broken standard error does not
 * stop the program.
 */
export function makeNotes(options: NotesOptions): AllNotes {
  const { quiet, verbose, now, colours, json = false } = options;
  const interactive = options.interactive && !json;
  const redraws = interactive && options.plain !== true;
  let turners = 0;
  let lastProgress: number | undefined;
  /** When the current job first reported progress. */
  let began: number | undefined;
  const hide = (text: string): string => hideCards(options.hide?.(text) ?? text);
  const clean = (text: string): string => (interactive ? sanitiseLines(hide(text)) : hide(text));
  const laid = (text: string) => (interactive ? wrapProse(clean(text), options.stderr.columns || 80) : clean(text));
  // Live mode must stand out in a question too.
  const alarmed = (text: string): string =>
    text.replace(/^(?:\*\*\* [^*]+\*\*\* )?LIVE mode/, (mode) => colours.alarm(mode));
  const line = makeLine(options, clean);
  const queue = makeQueue(options.shown);
  const asRecord = (level: string, message: string): string => recordOf(now(), level, hide(message));
  const said = (level: string, text: Text, paint: (text: string) => string): void =>
    queue.add(text, (shown) => line.say(json ? asRecord(level, shown) : paint(laid(shown))));
  return {
    settled: queue.settled,
    note(text) {
      if (!quiet) said('note', text, colours.faint);
    },
    warn(text) {
      said('warning', text, (shown) => colours.mild(alarmed(shown)));
    },
    record(text) {
      line.say(hide(text));
    },
    painted(text) {
      if (json) return said('note', text, (shown) => shown);
      queue.add(text, (shown) =>
        line.say(interactive ? wrapProse(hide(shown), options.stderr.columns || 80) : hide(shown)),
      );
    },
    detail(text) {
      if (verbose && !quiet) said('detail', text, colours.faint);
    },
    progress(text, share) {
      if (quiet) return;
      const time = now();
      const pause = redraws ? REDRAW : MINUTE;
      began = Math.min(began ?? time, time);
      const stand = withShare(text, share, redraws);
      line.latest = stand;
      if (!redraws && time - began < PIPE_WAIT) return;
      // A clock set back must not silence the progress line for hours.
      if (lastProgress !== undefined && time >= lastProgress && time - lastProgress < pause) return;
      lastProgress = time;
      if (redraws) line.draw(stand);
      else line.put(`${json ? asRecord('progress', stand) : clean(stand)}\n`);
    },
    hold: () => line.hold(),
    progressDone() {
      line.clear();
      line.latest = '';
      began = undefined;
      // On a pipe lines stay, so the next part of a command counts from the last one.
      if (redraws) lastProgress = undefined;
    },
    busy(text) {
      // Several waits share one spinner, and a progress line replaces it.
      if (quiet || !redraws || turners > 0) return { done: () => undefined };
      turners++;
      const sign = turnSign(line, text, () => began !== undefined);
      let over = false;
      return {
        done() {
          if (over) return;
          over = true;
          turners--;
          sign.done();
        },
      };
    },
  };
}

/**
 * Holds warnings and notes back until `tell`, which prints warnings first; a text said twice is printed once. After
 * `open` nothing is held any more.
 */
export function heldNotes(own: AllNotes) {
  let isOpen = false;
  const warnings = new Map<string, Text>();
  const remarks = new Map<string, Text>();
  const tell = (): void => {
    for (const text of warnings.values()) own.warn(text);
    warnings.clear();
    for (const text of remarks.values()) own.note(text);
    remarks.clear();
  };
  /** Prints a text after the held ones. */
  const after =
    <Said>(say: ((text: Said) => void) | undefined) =>
    (text: Said): void => {
      tell();
      say?.(text);
    };
  const notes: AllNotes = {
    ...own,
    note(text) {
      remarks.set(String(text), text);
      if (isOpen) tell();
    },
    warn(text) {
      warnings.set(String(text), text);
      if (isOpen) tell();
    },
    painted: after(own.painted),
    atOnce: { ...own, note: after(own.note), warn: after(own.warn) },
  };
  const open = (): void => {
    isOpen = true;
    tell();
  };
  return { notes, tell, open };
}

/** Notes that are printed right away. */
export const atOnce = (notes: Notes): Notes => notes.atOnce ?? notes;

/** 0 none, 1 sixteen colours, 2 256 colours, 3 true colour. */
export type ColourLevel = 0 | 1 | 2 | 3;

/**
 * How much colour a stream may show. `--no-color` wins, then `FORCE_COLOR` (`0` and `false` switch it off), then
 * `NO_COLOR` (any non-empty value), then `CLICOLOR_FORCE`; otherwise a terminal has colour unless it is dumb or
 * `CLICOLOR=0`.
 *
 * @param flag false for `--no-color`
 */
export function colourLevel(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean },
  flag: boolean,
): ColourLevel {
  if (!flag) return 0;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0;
    if (forced === '2') return 2;
    if (forced === '3') return 3;
    return atLeastOne(env);
  }
  if (env.NO_COLOR) return 0;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return atLeastOne(env);
  if (stream.isTTY !== true || env.TERM === 'dumb' || env.CLICOLOR === '0') return 0;
  return atLeastOne(env);
}

function atLeastOne(env: Readonly<Record<string, string | undefined>>): ColourLevel {
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return 3;
  return /-256(color)?$/i.test(env.TERM ?? '') ? 2 : 1;
}
