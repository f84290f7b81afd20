import type { Family, Operation } from '../../catalogue/types.js';
import type { ItemStore } from '../store/item-store.js';
import { toText, type Value } from '../store/item-values.js';
import { PrebuiltJson } from '../store/prebuilt-json.js';
import type { QueryFields } from '../store/query-fields.js';
import type { ApiAccount } from './accounts.js';
import { dated } from './builders.js';

/** Where and when something happens: what requests and tasks that fall due both need. */
export interface Scene {
  readonly store: ItemStore;
  /** Unix seconds on the sandbox's clock. */
  readonly now: number;
  readonly live: boolean;
  /** Assistants that caused this, the first one first (`automation/occasions.ts`). */
  readonly cause?: readonly string[] | undefined;
  /** Makes an identifier. Tasks that fall due with time make the same ones from the same data. */
  newId(): string;
}

/** The first fields of a new item. */
export function newItemHead({ newId, now }: Scene, id = newId()) {
  return dated(id, now);
}

/** One request while the rules work on it. */
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

/** The answer of an operation: its fields, or the exact text of an object. */
export type OperationAnswer = Value | string | PrebuiltJson;

/** The work of one operation. Without an answer of its own it answers with the id in its path. It may throw a `Refusal`. */
export type OperationRule = (call: Call) => OperationAnswer | undefined;

/** Rules by method and path with empty placeholders: `POST /subscriptions/{}/cancel`. */
export type Rules = Readonly<Record<string, OperationRule>>;

/** The key of an operation in the rules. */
export function ruleName(operation: Pick<Operation, 'method' | 'path'>): string {
  return `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`;
}

/** The success envelope of service.md#envelopes around an answer. */
export function success(call: Call, answer: OperationAnswer): string | PrebuiltJson {
  const head = `{"api_call_id":"${call.callId}","api_call_unix":${call.now},"code":1`;
  if (answer instanceof PrebuiltJson)
    return new PrebuiltJson(`${head},${answer.before.slice(1)}`, answer.bytes, answer.after);
  const inner = typeof answer === 'string' ? answer : toText(answer);
  return inner === '{}' ? `${head}}` : `${head},${inner.slice(1)}`;
}
