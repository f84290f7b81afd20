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

/** Colours words in a table or note. Its functions return the text unchanged when colour is off. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  mild(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
  /** For what must not be overlooked: live mode. */
  alarm(text: string): string;
}

export const PLAIN: Palette = {
  good: (text) => text,
  bad: (text) => text,
  mild: (text) => text,
  strong: (text) => text,
  faint: (text) => text,
  alarm: (text) => text,
};

/** A palette for one stream; loads chalk only when there is colour to show. */
export async function palette(color: boolean): Promise<Palette> {
  if (!color) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    good: chalk.green,
    bad: chalk.red,
    // Yellow vanishes on white; magenta is readable on white and on black.
    mild: chalk.magenta,
    strong: chalk.bold,
    faint: chalk.dim,
    alarm: chalk.bgRed.whiteBright.bold,
  };
}

/** Whose data an answer shows; printed above every list and item on a terminal. */
export interface AccountLine {
  readonly profile: string;
  readonly mode: 'test' | 'live';
  /** True for the embedded service, whose live mode moves no real money. */
  readonly embedded: boolean;
}

/** `TEST mode, profile acme`; live mode stands out at a glance, with or without colour. */
export function accountLine({ profile, mode, embedded }: AccountLine, colours: Palette): string {
  if (mode === 'test') return `TEST mode, profile ${profile}`;
  if (embedded) return `${colours.alarm('LIVE mode')}, profile ${profile} (no real money)`;
  return `${colours.alarm('*** LIVE mode ***')}, profile ${profile}`;
}
