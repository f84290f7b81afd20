import type { Scene } from '../rules/call.js';
import type { Value } from '../store/item-values.js';
import type { FunctionEngine } from './function-engine.js';

/** One action of an assistant, by an operation of the service. */
export interface Deed {
  /** The path below the base URL: `/notes`. */
  readonly path: string;
  readonly body: Value;
}

/** What an automation writes once it has finished; undefined if it writes nothing. */
export type Write = (() => void) | undefined;

/** What the automations of an opened sandbox need besides the store; closing the sandbox closes its engine. */
export interface Host {
  readonly engine: FunctionEngine;
  /** Looks up an action; the returned work runs it by the service's rules. @throws Refusal */
  prepare(deed: Deed): Promise<(scene: Scene) => void>;
}
