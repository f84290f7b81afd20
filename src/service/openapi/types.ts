import type { Operation, QueryField } from '../../catalogue/types.js';

/** An operation in a pulled description, in the catalogue's words (`wallet` where the service may use another). */
export interface DescribedOperation extends Pick<Operation, 'method' | 'path' | 'operationId' | 'summary' | 'body'> {
  /** Query parameters other than those for ranges and pages. */
  readonly query: Readonly<Record<string, QueryField>>;
  /** True when it takes `date_start` and `date_end`. */
  readonly dates: boolean;
  /** True when it takes `limit` and `page`. */
  readonly paged: boolean;
  /** Fields of an answer, or of an item of its `results`. */
  readonly answer: readonly string[];
  /** True when the answer has `results`. */
  readonly list: boolean;
}

/** What is kept of a description for every run: small, so that reading it costs almost nothing. */
export interface PulledFacts {
  readonly format: 1;
  readonly base_url: string;
  readonly pulled_unix: number;
  /** Whether a list takes dates, by path with `{}` for placeholders. */
  readonly dates: Readonly<Record<string, boolean>>;
  /** Operations that the catalogue did not know when the description was pulled. */
  readonly unknown: readonly DescribedOperation[];
}

/** A path without the names of its placeholders, for comparison. */
export function pathWithoutNames(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}
