/** Options of other tools get an answer whose lines would run, or a sentence. */
import { expect, it } from 'vitest';
import { home } from '../helpers.js';

const ID = 'ABCDEFGHIJ0123456789';

it('takes an option in two spellings with one value, and one that may be repeated', async () => {
  const world = home({ COPS_PROFILE: 'sandbox' });
  for (const line of ['--from 7d --since 7d', '--where email=a@example.com --where enabled=true --enabled'])
    expect((await world.run(['customers', 'list', ...line.split(' '), '--count'])).code, line).toBe(0);
});

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
  [
    'transactions list --from 2026-10-01 --until 2026-10-02 --to 2026-10-31',
    '--until is another spelling of --to: it takes one value, and the line gives two, 2026-10-02 and 2026-10-31.',
  ],
  ['customers list --since 2026-10-01 --from=2026-10-02', 'gives two, 2026-10-01 and 2026-10-02'],
  [
    `subscriptions postpone ${ID} ${ID} --by 14d`,
    `bulk subscriptions edit --where id=${ID},${ID} -d 'next_renewal_date={next_renewal}+14d'`,
  ],
  ['subscriptions postpone - --by 14d', "edit --ids - -d 'next_renewal_date={next_renewal}+14d'"],
  [
    'subscriptions postpone --next 7d --by 14d --dry-run',
    "edit --where 'next_renewal>=today' --where 'next_renewal<=+7d' -d 'next_renewal_date={next_renewal}+14d' --dry-run",
  ],
  [
    'bulk subscriptions postpone --where status=active --until 2027-01-15',
    "-d next_renewal_date=2027-01-15 --where 'next_renewal<2027-01-15'",
  ],
  ['bulk subscriptions postpone --status active', "-d 'next_renewal_date={next_renewal}+<span>'"],
  ['events listen --as replay --until 2026-11-28', 'cops events list and cops events resend take --until.'],
  ['events receive --port 9911', 'cops has no receiver'],
  ['explain permissions', 'The service lists no keys, no users and no permissions of a key'],
  ['customers get nobody@x.example nothere@x.example', '2 of 2 cannot be read:'],
  ['setup promote --json', '--from test --to live'],
])('%s', async (line, says) => {
  const ran = await home({ COPS_PROFILE: 'sandbox' }).run([...line.split(' '), '--no-input']);
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).toContain(says);
});

it.each([
  ['products list --where name=E2E*', 'In name=E2E* the * is an ordinary character. name~E2E is a part'],
  ['bulk products delete --where name~^E2E --dry-run', 'In name~^E2E the ^ is an ordinary character. name~E2E'],
])('says of %s, which finds nothing, what is taken literally', async (line, says) => {
  const ran = await home({ COPS_PROFILE: 'sandbox' }).run(line.split(' '));
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(says)]);
  const none = await home({ COPS_PROFILE: 'sandbox' }).run(['products', 'list', '--where', 'name^=E2E']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('For a part of a text, anywhere in it: name~')]);
});

it('names the items of a dry run by a line that shows them', async () => {
  const made = home({ COPS_PROFILE: 'sandbox' });
  const [one = '', two = ''] = (await made.run(['products', 'list', '-o', 'ids', '--limit', '2'])).stdout.split('\n');
  const ran = await made.run(['bulk', 'products', 'delete', '--ids', '-', '--dry-run'], { input: `${one}\n${two}\n` });
  expect(ran.stderr).toContain(`The items: cops products get ${one} ${two} -o table`);
});

it('takes a word of another meaning for no misspelt synonym', async () => {
  const ran = await home({ COPS_PROFILE: 'sandbox' }).run(['find', '0119', '--amount', '49']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).not.toContain('--profile');
});
