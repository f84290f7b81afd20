import type { Text } from '../text/command-line.js';

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
  readonly hint?: Text;
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
  /** The message without what it says of one write: that of a run of many says it of all. */
  readonly failure?: string;
  /** The part of the hint that stays true once the request was carried out. */
  readonly whatNext?: Text;
  /** Nothing has the name or the id that was given. */
  readonly isUnknown?: true;
  /** The option whose value is wrong, and what is wrong with it. */
  readonly option?: { readonly name: string; readonly says: string };
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
export function usage(message: string, hint?: Text, faults?: ErrorFacts['faults']): CopsError {
  return new CopsError('usage', message, { hint: hint || undefined, faults });
}

/** A usage error about the value of an option: what is wrong with it, without the option's name. */
export function wrongOption(option: string, says: string, hint?: Text): CopsError {
  return new CopsError('usage', `${option}: ${says}`, { hint: hint || undefined, option: { name: option, says } });
}

/** An error about an option, told by the word that was typed for it (`--since` for `--from`); any other as it is. */
export function asTyped(error: unknown, typed: string, means: string): unknown {
  if (!(error instanceof CopsError) || error.facts.option?.name !== means) return error;
  return wrongOption(typed, error.facts.option.says, error.facts.hint);
}

/** A local fault: file, disk, damaged configuration or journal (exit code 11). */
export function local(message: string, hint?: Text, cause?: unknown): CopsError {
  return new CopsError('local', message, { hint: hint || undefined, cause });
}

/** Stopped for safety (exit code 12). */
export function stopped(message: string, hint?: Text, more?: ErrorFacts['more']): CopsError {
  return new CopsError('stopped', message, { hint: hint || undefined, more });
}
