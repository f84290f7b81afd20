import { cpSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { Home } from '../../harness/home.js';
import { laySandbox } from '../../harness/seeded.js';
import { home } from '../helpers.js';

/**
 * Makes homes with a sandbox of that many renewals, which is laid out once for all tests of the file.
 * @param renewals how large it is
 */
export function homesOf(renewals: number): () => Home {
  const laid = new Home();
  const dataOf = ({ env }: Home): string => env.COPS_DATA_DIR ?? '';
  beforeAll(() => laySandbox(dataOf(laid), Date.now(), renewals));
  afterAll(() => laid.remove());
  return () => {
    const made = home();
    cpSync(dataOf(laid), dataOf(made), { recursive: true });
    return made;
  };
}
