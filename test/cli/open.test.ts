import { expect, it } from 'vitest';
import { A, errorOf, home, json } from './helpers.js';

const SANDBOX = ['-p', 'sandbox'];

it('prints the address of an item by the pattern of the profile', async () => {
  const made = home();
  const missing = await made.run([...SANDBOX, 'open', A, '-o', 'json']);
  expect(missing.code).toBe(2);
  expect(errorOf(missing).hint).toContain('config set web_url');
  expect((await made.run([...SANDBOX, 'config', 'set', 'web_url', 'ftp://x/{id}'])).code).toBe(2);
  await made.run([...SANDBOX, 'config', 'set', 'web_url', 'https://app.example.com/{family}/{id}']);
  const ran = await made.run([...SANDBOX, 'open', A, '--family', 'sale', '-o', 'json']);
  expect(json(ran)).toEqual({ id: A, family: 'sales', url: `https://app.example.com/sales/${A}` });
});
