import type { Scene } from '../call.js';
import type { Value } from '../text.js';
import { FunctionEngine } from './engine.js';

/** One thing that an assistant does, by an operation of the service. */
export interface Deed {
  /** Below the base URL: `/notes`. */
  readonly path: string;
  readonly body: Value;
}

/** What automations need beside the store; made when the first of them is due. */
export interface Host {
  readonly engine: FunctionEngine;
  /** Looks a deed up; the work it gives runs it by the service's rules. @throws Refusal */
  readonly prepare: PrepareDeed;
}

/** Who can make deeds: given in by the service, whose rules they follow. */
export type PrepareDeed = (deed: Deed) => Promise<(scene: Scene) => void>;

/** Holds the host of one opened sandbox: made late, ended with it. */
export class HostHolder {
  #host: Host | undefined;

  constructor(private readonly prepare: PrepareDeed) {}

  get(): Host {
    this.#host ??= { engine: new FunctionEngine(), prepare: this.prepare };
    return this.#host;
  }

  async close(): Promise<void> {
    await this.#host?.engine.close();
    this.#host = undefined;
  }
}
