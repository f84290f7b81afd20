import type { Palette } from './colour.js';

/** Whose data an answer shows: said above every list and item on a terminal. */
export interface AccountLine {
  readonly profile: string;
  readonly mode: 'test' | 'live';
  /** The embedded service: its live mode moves no real money. */
  readonly embedded: boolean;
}

/** `TEST mode, profile acme`; live mode looks different at one glance, with colour and without. */
export function accountLine({ profile, mode, embedded }: AccountLine, colours: Palette): string {
  if (mode === 'test') return `TEST mode, profile ${profile}`;
  if (embedded) return `${colours.alarm('LIVE mode')}, profile ${profile} (no real money)`;
  return `${colours.alarm('*** LIVE mode ***')}, profile ${profile}`;
}
