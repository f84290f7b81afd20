import { EXIT_CODES } from './errors.js';

/** What an exit code means and what to do next (command-line.md#exit-codes); the one place that says it. */
export interface ExitMeaning {
  readonly exit: number;
  /** A sentence without capital and full stop. */
  readonly meaning: string;
  readonly next: string;
}

export const EXIT_MEANINGS: readonly ExitMeaning[] = [
  { exit: 0, meaning: 'done', next: '' },
  {
    exit: 1,
    meaning: 'the service refused (400, 405, other 4xx), failed at a read (5xx), or an unexpected error',
    next: 'Read the message and error_code; cops api-calls get <api_call_id> shows the call.',
  },
  {
    exit: 2,
    meaning: 'usage: unknown option, bad value, body that fails its schema',
    next: 'Nothing was sent. The message names all faults; --help shows what is possible.',
  },
  { exit: 3, meaning: 'no key, 401 or 403', next: 'cops whoami shows the key in use and where it comes from.' },
  { exit: 4, meaning: 'not found (404)', next: 'Check the id and the mode: test and live have items of their own.' },
  {
    exit: 5,
    meaning: 'payment failed (402: decline, gateway error, hold)',
    next: 'It is never sent again by itself; the message says what the gateway said.',
  },
  { exit: 6, meaning: 'fraud detected (402, code 5)', next: 'cops fraud-detections get <id> shows why.' },
  { exit: 7, meaning: 'still 429 after all retries', next: 'Nothing was done. Wait, or give --rate <n>.' },
  { exit: 8, meaning: 'network error or time-out, nothing done', next: 'cops doctor --online checks the way.' },
  {
    exit: 9,
    meaning: 'outcome unknown: a write may have happened',
    next: 'Look before you repeat: cops history list --unknown; the message names the read that settles it.',
  },
  {
    exit: 10,
    meaning: 'partly done, or could not be proven complete',
    next: 'Run it again; exports and bulk runs go on.',
  },
  {
    exit: 11,
    meaning: 'local fault: files, disk, damaged configuration or journal',
    next: 'The message names the file.',
  },
  {
    exit: 12,
    meaning:
      'stopped for safety: mode contradiction, confirmation missing or refused, read-only profile, expectation not met, limit of a policy',
    next: 'Nothing was sent. Without a terminal, money and irreversible operations need --yes.',
  },
  {
    exit: 13,
    meaning: 'differences found (setup plan, setup diff, openapi check)',
    next: 'The data says which; those of a set-up go away with cops setup apply.',
  },
  { exit: 130, meaning: 'interrupted (Ctrl-C)', next: '' },
  { exit: 143, meaning: 'terminated (SIGTERM)', next: '' },
];

/** Error kinds of the JSON error object that end with an exit code. */
export function kindsOf(exit: number): string[] {
  return Object.entries(EXIT_CODES).flatMap(([kind, code]) => (code === exit ? [kind] : []));
}

/** A meaning as a sentence. */
export function sentence(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
}
