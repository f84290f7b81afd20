import type { PrebuiltJson } from '../store/prebuilt-json.js';
import type { QueryFields } from '../store/query-fields.js';

/** A request in the form that all transports pass on. */
export interface Incoming {
  readonly method: string;
  /** The path below the base URL, still encoded. */
  readonly path: string;
  readonly query: QueryFields;
  readonly body?: string;
  readonly key?: string | undefined;
  readonly ip?: string;
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | PrebuiltJson;
}
