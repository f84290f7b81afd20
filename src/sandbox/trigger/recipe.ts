import type { Tools } from './tools.js';

/** Makes one event happen, by the service's own operations. */
export type Recipe = (tools: Tools) => Promise<void>;
