import { hash } from 'node:crypto';
import type { Tree } from '../items/json/tree.js';
import { canonicalBody } from '../items/secrets/mask-body.js';

/** A short mark of a value that is the same for the same content, whatever the order of names or spelling of numbers. */
export function hashOf(value: Tree | undefined): string {
  return hash('sha256', canonicalBody({ value: value ?? null }), 'hex').slice(0, 20);
}
