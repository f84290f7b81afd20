import { createHash, randomBytes } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new 20-character identifier (spec section 1) that nobody can guess. */
export function newId(): string {
  return spell(randomBytes(20));
}

/** The identifier that belongs to these words: the same every time, so that equal seeds give equal data. */
export function idOf(...words: (string | number)[]): string {
  return spell(createHash('sha256').update(words.join('\n')).digest());
}

function spell(bytes: Uint8Array): string {
  let id = '';
  for (let index = 0; index < 20; index++) id += LETTERS[(bytes[index] as number) % 62];
  return id;
}
