import type { Family, Operation } from '../../catalogue/types.js';
import type { ItemStore } from '../store/item-store.js';
import type { Value } from '../store/item-values.js';
import type { PrebuiltJson } from '../store/prebuilt-json.js';
import type { QueryFields } from '../store/query-fields.js';
import type { ApiAccount } from './accounts.js';
import { dated } from './builders.js';

/** Where and when something happens: what both a request and the passing of time need. */
export interface Scene {
  readonly store: ItemStore;
  /** Unix seconds on the sandbox's clock. */
  readonly now: number;
  readonly live: boolean;
  /** Assistants whose doing this is, the first one first (`automation/occasions.ts`). */
  readonly cause?: readonly string[] | undefined;
  /** A fresh identifier; the passing of time makes the same ones for the same data. */
  newId(): string;
}

/** What a new item begins with. */
export function newItemHead({ newId, now }: Scene, id = newId()) {
  return dated(id, now);
}

/** One request on its way through the rules. */
export interface Call extends Scene {
  readonly callId: string;
  readonly account: ApiAccount;
  readonly family: Family;
  readonly operation: Operation;
  /** The values of the path's placeholders, in order. */
  readonly ids: readonly string[];
  readonly query: QueryFields;
  readonly body: Value;
}

/** What an operation answers: its fields, or the exact text of an object. */
export type OperationAnswer = Value | string | PrebuiltJson;

/** The work of one operation. It may throw a `Refusal`. */
export type OperationRule = (call: Call) => OperationAnswer;

/** Rules by method and path, placeholders left empty: `POST /subscriptions/{}/cancel`. */
export type Rules = Readonly<Record<string, OperationRule>>;

/** The name of an operation in the rules. */
export function ruleName(operation: Pick<Operation, 'method' | 'path'>): string {
  return `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`;
}
