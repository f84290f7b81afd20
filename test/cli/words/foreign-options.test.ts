/** Options of other tools get an answer whose lines would run, or a sentence. */
import { expect, it } from 'vitest';
import { home } from '../helpers.js';

const ID = 'ABCDEFGHIJ0123456789';

// The harness fails a run that proposes a line which would not run.
it.each([
  ['customers disable jane@example.com --latest', 'customers list --all-time --latest'],
  [`products edit ${ID} --latest`, 'products list --all-time --latest'],
  [`subscriptions cancel ${ID} --latest`, `subscriptions list --customer ${ID} --all-time --latest`],
  ['openapi pull --latest', 'cops <family> list --all-time --latest'],
  ['mode live --search jane', 'cops <family> search jane'],
  ['mode live --force', '--yes'],
  ['openapi pull --force', '--yes'],
  ['sync --force', '--yes'],
  [`subscriptions cancel ${ID} --no-confirm`, '--yes'],
  [`subscriptions cancel ${ID} --prod`, '--live'],
  ['customers list --prod', '--live'],
  [`subscriptions cancel ${ID} --at-period-end`, `subscriptions get ${ID} shows`],
  ['products list --customer jane@example.com', 'timeline jane@example.com what happened'],
  ['setup promote --json', '--from test --to live'],
])('%s', async (line, says) => {
  const ran = await home({ COPS_PROFILE: 'sandbox' }).run([...line.split(' '), '--no-input']);
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).toContain(says);
});
