import { createHash } from 'node:crypto';
import { randomBytes } from '../../base/random.js';

/** The characters of identifiers. */
export const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** How many successive identifiers have the same beginning. */
const ALIKE = 512;
const BEGINNING = 4;

/**
 * Makes many unguessable identifiers. Those of a moment begin alike, so that a database stores them side by side, and
 * random bytes are drawn in bulk.
 */
export function idMaker(): () => string {
  let bytes: Uint8Array = new Uint8Array();
  let made = ALIKE;
  let beginning = '';
  return () => {
    if (made === ALIKE) {
      bytes = randomBytes(ALIKE * 20);
      beginning = spell(bytes).slice(0, BEGINNING);
      made = 0;
    }
    const from = made++ * 20;
    return beginning + spell(bytes.subarray(from, from + 20)).slice(BEGINNING);
  };
}

/** A new 20-character identifier (service.md#conventions) that nobody can guess. */
export function newId(): string {
  return spell(randomBytes(20));
}

/** The identifier for these words: always the same, so that equal seeds give equal data. */
export function seededId(...words: (string | number)[]): string {
  return spell(createHash('sha256').update(words.join('\n')).digest());
}

function spell(bytes: Uint8Array): string {
  let id = '';
  for (let index = 0; index < 20; index++) id += LETTERS[(bytes[index] as number) % 62];
  return id;
}
