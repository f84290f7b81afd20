/** Kinds of failure, in the words of the error object that scripts read (command-line.md#exit-codes). */
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

/** What an error may carry beside its message; all of it is shown in the JSON form. */
export interface ErrorFacts {
  /** What to do next, one or two sentences. */
  readonly hint?: string;
  readonly httpStatus?: number;
  /** `code` of the service's body (service.md#errors). */
  readonly code?: number;
  readonly errorCode?: string;
  readonly apiCallId?: string | null;
  /** The service's own words. */
  readonly serviceMessage?: string;
  /** Several faults of one input, each with its path. */
  readonly faults?: readonly { readonly path: string; readonly message: string }[];
  /** Further fields for the JSON form (`node_id`, `fraud_detection_created`, counts). Never secrets. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The message tells what "more" holds: the text form does not say it twice. */
  readonly moreIsSaid?: true;
  /** The service's whole answer, shown only with `--raw`. */
  readonly rawAnswer?: string;
  readonly exitCode?: number;
  readonly cause?: unknown;
}

/** The one error class that reaches the presenter with its meaning; everything else is an unexpected error. */
export class CopsError extends Error {
  override readonly name = 'CopsError';
  readonly kind: ErrorKind;
  readonly facts: ErrorFacts;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.kind = kind;
    this.facts = facts;
  }

  /** The process exit code that this error asks for. */
  get exitCode(): number {
    return this.facts.exitCode ?? EXIT_CODES[this.kind];
  }
}

/** A usage error (exit code 2). */
export function usage(message: string, hint?: string, faults?: ErrorFacts['faults']): CopsError {
  return new CopsError('usage', message, { hint: hint || undefined, faults });
}

/** An error about an option, told by the word that was typed for it (`--since` for `--from`); any other as it is. */
export function asTyped(error: unknown, typed: string, means: string): unknown {
  if (!(error instanceof CopsError) || !error.message.startsWith(`${means}:`)) return error;
  return new CopsError(error.kind, `${typed}${error.message.slice(means.length)}`, error.facts);
}

/** A local fault: file, disk, damaged configuration or journal (exit code 11). */
export function local(message: string, hint?: string, cause?: unknown): CopsError {
  return new CopsError('local', message, { hint: hint || undefined, cause });
}

/** Stopped for safety (exit code 12). */
export function stopped(message: string, hint?: string, more?: ErrorFacts['more']): CopsError {
  return new CopsError('stopped', message, { hint: hint || undefined, more });
}
