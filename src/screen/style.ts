/**
 * Everything that colours a terminal, moves its cursor or draws on it: no other file writes an escape sequence or a
 * mark. docs/terminal.md says what each is for.
 */
import type { AccountLine, Palette } from './types.js';

export const PLAIN: Palette = {
  good: (text) => text,
  bad: (text) => text,
  mild: (text) => text,
  strong: (text) => text,
  faint: (text) => text,
  alarm: (text) => text,
};

/**
 * The palette of one stream: the colours of the sixteen that are readable on white and on black; yellow vanishes on
 * white, blue on black. Loads chalk only when there is colour to show.
 */
export async function palette(color: boolean): Promise<Palette> {
  if (!color) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    good: chalk.green,
    bad: chalk.red,
    mild: chalk.magenta,
    strong: chalk.bold,
    faint: chalk.dim,
    alarm: chalk.bgRed.whiteBright.bold,
  };
}

/** `TEST mode, profile acme`; live mode stands out at a glance, with or without colour. */
export function accountLine({ profile, mode, embedded }: AccountLine, colours: Palette): string {
  if (mode === 'test') return `TEST mode, profile ${profile}`;
  if (embedded) return `${colours.alarm('LIVE mode')}, profile ${profile} (no real money)`;
  return `${colours.alarm('*** LIVE mode ***')}, profile ${profile}`;
}

/** Returns to the start of the line and empties it. */
export const CLEAR_LINE = '\r\u001b[2K';

/** The turning sign of a wait. */
export const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** What bars and curves are drawn with. */
export interface Strokes {
  readonly full: string;
  /** The ends of a bar, in eighths of a column; a single one where there are no finer ones. */
  readonly parts: readonly string[];
  /** A bar below zero. */
  readonly below: string;
  /** The part of a progress bar that is still to come. */
  readonly empty: string;
  /** A row of small bars, lowest first. */
  readonly small: string;
  readonly point: string;
  readonly between: string;
  readonly axis: string;
  readonly zero: string;
}

const BLOCKS: Strokes = {
  full: '█',
  parts: ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'],
  below: '▒',
  empty: '░',
  small: '▁▂▃▄▅▆▇█',
  point: '●',
  between: '·',
  axis: '│',
  zero: '─',
};

const ASCII_STROKES: Strokes = {
  full: '#',
  parts: [''],
  below: '-',
  empty: '.',
  small: '.:-=+*#@',
  point: '*',
  between: '.',
  axis: '|',
  zero: '-',
};

/** @param blocks false for a terminal that shows plain characters only */
export function strokes(blocks = true): Strokes {
  return blocks ? BLOCKS : ASCII_STROKES;
}
