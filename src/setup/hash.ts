import { hash } from 'node:crypto';
import type { Tree } from '../items/json/tree.js';
import { canonicalBody } from '../items/secrets/mask-body.js';

/** A short hash of a value. The order of names and the spelling of numbers do not change it. */
export function hashOf(value: Tree | undefined): string {
  return hash('sha256', canonicalBody({ value: value ?? null }), 'hex').slice(0, 20);
}
