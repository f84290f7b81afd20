import type { Scene } from '../rules/call.js';
import type { Value } from '../store/item-values.js';
import type { FunctionEngine } from './function-engine.js';

/** One thing that an assistant does, by an operation of the service. */
export interface Deed {
  /** Below the base URL: `/notes`. */
  readonly path: string;
  readonly body: Value;
}

/** What is to be written once an automation has been worked out; nothing where it came to nothing. */
export type Write = (() => void) | undefined;

/** What automations of one opened sandbox need beside the store; its engine is closed with it. */
export interface Host {
  readonly engine: FunctionEngine;
  /** Looks a deed up; the work it gives runs it by the service's rules. @throws Refusal */
  prepare(deed: Deed): Promise<(scene: Scene) => void>;
}
