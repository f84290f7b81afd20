import type { Text } from '../text/command-line.js';

/** Kinds of failure, as named in the error object that scripts read (command-line.md#exit-codes). */
export type ErrorKind =
  | 'usage'
  | 'refused'
  | 'service_failed'
  | 'not_authorised'
  | 'not_found'
  | 'payment_failed'
  | 'fraud_detected'
  | 'rate_limited'
  | 'network'
  | 'outcome_unknown'
  | 'incomplete'
  | 'local'
  | 'stopped'
  | 'differs'
  | 'interrupted'
  | 'internal';

/** The exit code of each kind (command-line.md#exit-codes). `interrupted` is 130, or 143 for SIGTERM. */
export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  usage: 2,
  refused: 1,
  service_failed: 1,
  not_authorised: 3,
  not_found: 4,
  payment_failed: 5,
  fraud_detected: 6,
  rate_limited: 7,
  network: 8,
  outcome_unknown: 9,
  incomplete: 10,
  local: 11,
  stopped: 12,
  differs: 13,
  interrupted: 130,
  internal: 1,
};

/** What an error may carry besides its message; the JSON form shows all of it. */
export interface ErrorFacts {
  /** What to do next, in one or two sentences. */
  readonly hint?: Text;
  readonly httpStatus?: number;
  /** `code` from the body of the service's answer (service.md#errors). */
  readonly code?: number;
  readonly errorCode?: string;
  readonly apiCallId?: string | null;
  /** The service's own words. */
  readonly serviceMessage?: string;
  /** Several faults in one input, each with its path. */
  readonly faults?: readonly { readonly path: string; readonly message: string }[];
  /** Additional fields for the JSON form (`node_id`, `fraud_detection_created`, counts). Never secrets. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The message already says what `more` holds, so the text form does not repeat it. */
  readonly moreIsSaid?: true;
  /** The service's full answer, shown only with `--raw`. */
  readonly rawAnswer?: string;
  readonly exitCode?: number;
  /** The message without the part that applies to a single write, for a bulk run that says that part once. */
  readonly failure?: string;
  /** The part of the hint that still holds after the request was carried out. */
  readonly whatNext?: Text;
  /** Nothing has the given name or id. */
  readonly isUnknown?: true;
  /** The option with the wrong value, and what is wrong with it. */
  readonly option?: { readonly name: string; readonly says: string };
  readonly cause?: unknown;
}

/** The one error class that the presenter understands; anything else is an unexpected error. */
export class CopsError extends Error {
  override readonly name = 'CopsError';

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly facts: ErrorFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
  }

  get exitCode(): number {
    return this.facts.exitCode ?? EXIT_CODES[this.kind];
  }
}

/** A usage error (exit code 2). */
export const usage = (message: string, hint?: Text, faults?: ErrorFacts['faults']): CopsError =>
  new CopsError('usage', message, { hint: hint || undefined, faults });

/** A usage error about an option's value. `says` explains the fault without naming the option. */
export const wrongOption = (option: string, says: string, hint?: Text): CopsError =>
  new CopsError('usage', `${option}: ${says}`, { hint: hint || undefined, option: { name: option, says } });

/**
 * Renames the option in an error to the word that was typed (`--since` for `--from`); returns any other error as it is.
 */
export function asTyped(error: unknown, typed: string, means: string): unknown {
  if (!(error instanceof CopsError) || error.facts.option?.name !== means) return error;
  return wrongOption(typed, error.facts.option.says, error.facts.hint);
}

/** A local fault: file, disk, damaged configuration or journal (exit code 11). */
export const local = (message: string, hint?: Text, cause?: unknown): CopsError =>
  new CopsError('local', message, { hint: hint || undefined, cause });

/** For `catch`: returns undefined for errors of these kinds and rethrows all others. */
export const unless =
  (...kinds: readonly ErrorKind[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof CopsError) || !kinds.includes(error.kind)) throw error;
  };

/** The result of some work, or `otherwise` if it throws: for failures that nobody needs to hear about. */
export function orElse<Made, Otherwise>(work: () => Made, otherwise: Otherwise): Made | Otherwise {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** The result of some work. If it throws or its promise is rejected, throws the error that `told` makes of that. */
export function orThrow<Made>(work: () => Made, told: (cause: NodeJS.ErrnoException) => unknown): Made {
  const fail = (cause: NodeJS.ErrnoException): never => {
    throw told(cause);
  };
  try {
    const made = work();
    return made instanceof Promise ? (made.catch(fail) as Made) : made;
  } catch (cause) {
    return fail(cause as NodeJS.ErrnoException);
  }
}

/** The result of some work. If it fails, throws a local error; `what` says what could not be done. */
export const orLocal = <Made>(work: () => Made, what: string, hint?: Text): Made =>
  orThrow(work, (cause) => local(`${what}: ${cause.message}`, hint, cause));

/** The value of a JSON text. If it is not JSON, throws the error that `told` makes of that. */
// biome-ignore lint/suspicious/noExplicitAny: the value is as open as that of JSON.parse.
export const jsonOf = (text: string, told: (cause: Error) => unknown): any => orThrow(() => JSON.parse(text), told);

/** Works with something that was opened, and closes it however the work ends. */
export async function closing<Opened extends { close(): unknown }, Made>(
  opened: Opened,
  work: (opened: Opened) => Made | Promise<Made>,
): Promise<Made> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** An error for a run stopped for safety (exit code 12). */
export const stopped = (message: string, hint?: Text, more?: ErrorFacts['more']): CopsError =>
  new CopsError('stopped', message, { hint: hint || undefined, more });

/**
 * Ends a dry run at its first effect. Not a fault: the caller shows it as the command's answer, with exit code 0.
 * Thrown where the effect would happen, so that nothing after it can act either.
 */
export class Would extends Error {
  override readonly name = 'Would';

  /** @param what one line that completes "would": `set profiles.acme.mode to "live"` */
  constructor(readonly what: string) {
    super(`would ${what}`);
  }
}

/** One fault in an input: where it is (`rates[0].rate`, empty for the whole input) and what to do about it. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** The result of checking a body: faults stop it, notes are shown and let it pass. */
export interface Findings {
  readonly faults: readonly Fault[];
  readonly notes: readonly string[];
}

/** One usage error (exit code 2) that lists all faults, one per line. */
export function faultsError(what: string, faults: readonly Fault[], hint?: Text): CopsError {
  const lines = faults.map((fault) => (fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`));
  const message =
    lines.length === 1 ? `${what}: ${lines[0]}` : `${what}, ${lines.length} faults:\n  ${lines.join('\n  ')}`;
  return new CopsError('usage', message, { faults, hint: hint || undefined });
}

/** What an exit code means and what to do next (command-line.md#exit-codes). The only place that defines it. */
export interface ExitMeaning {
  readonly exit: number;
  /** A sentence without its capital and full stop. */
  readonly meaning: string;
  readonly next: string;
}

const STOPPED_NEXT =
  'Files are not complete: the same line continues an export, cops bulk resume <journal> a run. cops history list --unknown shows writes without an answer.';

export const EXIT_MEANINGS: readonly ExitMeaning[] = [
  { exit: 0, meaning: 'done', next: '' },
  {
    exit: 1,
    meaning: 'the service refused (400, 405, other 4xx), failed at a read (5xx), or an unexpected error',
    next: 'Read the message and error_code; cops api-calls get <api_call_id> shows the call. An export that stopped is not complete: the same line continues it.',
  },
  {
    exit: 2,
    meaning: 'usage: unknown option, bad value, body that fails its schema',
    next: 'Nothing was sent. The message names all faults; --help shows what is possible.',
  },
  { exit: 3, meaning: 'no key, 401 or 403', next: 'cops whoami shows the key in use and where it comes from.' },
  { exit: 4, meaning: 'not found (404)', next: 'Check the id and the mode: test and live have separate items.' },
  {
    exit: 5,
    meaning: 'payment failed (402: decline, gateway error, hold)',
    next: "It is never retried automatically; the message gives the gateway's answer.",
  },
  { exit: 6, meaning: 'fraud detected (402, code 5)', next: 'cops fraud-detections get <id> shows why.' },
  {
    exit: 7,
    meaning: 'still 429 after all retries',
    next: 'Nothing was done. Wait, or give --rate <n>; the same export or bulk resume continues.',
  },
  {
    exit: 8,
    meaning: 'network error or timeout, nothing done',
    next: 'cops doctor --online checks the connection. An export that stopped is not complete: the same line continues it.',
  },
  {
    exit: 9,
    meaning: 'outcome unknown: a write may have happened',
    next: 'Look before you repeat: cops history list --unknown; the message names the read that settles it.',
  },
  {
    exit: 10,
    meaning: 'partly done, or could not be proven complete',
    next: 'What you have is right, but rows may be missing: the message says which. The same line continues an export; cops export status FILE names what is unproven, cops export verify FILE checks the file. For a bulk run: cops bulk report <journal>.',
  },
  {
    exit: 11,
    meaning: 'local fault: files, disk, damaged configuration or journal',
    next: 'The message names the file. A file that was being written is not complete: the same line writes it again, or continues an export.',
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
    next: 'The data lists them; cops setup apply removes those of a set-up.',
  },
  { exit: 130, meaning: 'interrupted (Ctrl-C)', next: STOPPED_NEXT },
  { exit: 143, meaning: 'terminated (SIGTERM)', next: STOPPED_NEXT },
];

/** The error kinds in the JSON error object that end with an exit code. */
export const kindsOf = (exit: number): string[] =>
  Object.entries(EXIT_CODES).flatMap(([kind, code]) => (code === exit ? [kind] : []));

/** A meaning as a full sentence. */
export const sentence = (meaning: string): string => `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
