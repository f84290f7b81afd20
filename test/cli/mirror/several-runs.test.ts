/** Runs of one process, as those of an assistant are, keep no mirror from the next one. */
import { expect, it } from 'vitest';
import { home } from '../helpers.js';

it('asks, and syncs again', async () => {
  const made = home();
  const run = async (...words: string[]) => {
    const ran = await made.run(['-p', 'sandbox', ...words]);
    expect(ran.code, `${words.join(' ')}: ${ran.stderr}`).toBe(0);
    return ran;
  };
  const sync = () => run('sync', 'customers', 'products');
  await sync();
  for (const query of ['select count(*) from customers', 'explain select * from products']) await run('sql', query);
  await run('customers', 'list', '--limit', '1');
  await sync();
});
