/** What a person at a terminal is told of a write, on the embedded service; pipes get JSON as ever. */
import { beforeAll, expect, it } from 'vitest';
import { Home } from './program.js';

const home = new Home({ COPS_PROFILE: 'sandbox' });
const ids: Record<string, string> = {};
const idOf = async (family: string, query: string): Promise<string> => {
  const { stdout } = await home.run([family, 'list', '--last', '90d', '-q', '-o', 'json', '--query', query]);
  return (JSON.parse(stdout) as string[])[0] ?? '';
};
const told = async (...line: string[]): Promise<string> => {
  const ran = await home.run(line, { terminal: 400 });
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout;
};

beforeAll(async () => {
  ids.subscription = await idOf('subscriptions', "[?status=='active'].id");
  ids.customer = await idOf('customers', '[].id');
  ids.sold = await idOf('product-sales', '[?amount_refunded==`0` && amount_captured>`9`].id');
  return () => home.remove();
});

it('says what was suspended, whose it is, when it would have renewed, and how it is undone', async () => {
  const { subscription = '' } = ids;
  const whole = `${subscription} .+, \\S+@example\\.com\\. Next renewal`;
  expect(await told('subscriptions', 'suspend', subscription)).toMatch(
    new RegExp(`^Suspended ${whole} was \\d{4}-\\d\\d-\\d\\d\\. Undo: cops subscriptions activate ${subscription}\n`),
  );
  expect(await told('-p', 'sandbox', 'subscriptions', 'activate', subscription, '--test')).toMatch(
    new RegExp(`^Activated ${whole} is .* Undo: cops -p sandbox --test subscriptions suspend ${subscription}\n$`),
  );
});

it('shows the fields of an edit, old and new, and the edit that reverts it', async () => {
  const { customer = '' } = ids;
  const { stdout } = await home.run(['customers', 'get', customer, '-o', 'json', '--query', 'first_name']);
  const old = JSON.parse(stdout) as string;
  const line = await told('customers', 'edit', customer, '-d', 'customer.first_name=Zoë');
  expect(line).toContain(`\n  customer.first_name: ${old} → Zoë\n`);
  expect(line).toMatch(new RegExp(`\\nUndo: cops customers edit ${customer} -d '?customer.first_name=${old}'?\n$`));
});

it('shows the amount and currency of a refund, and what is left', async () => {
  const { sold = '' } = ids;
  const { stdout } = await home.run(['product-sales', 'get', sold, '-o', 'json']);
  const item = JSON.parse(stdout) as { amount_total: number; iso_currency: string };
  const unit = item.iso_currency;
  const left = (item.amount_total - 1.5).toFixed(2);
  expect(await told('product-sales', 'refund', sold, '--amount', '1.50')).toMatch(
    new RegExp(`^Refund of 1\\.50 ${unit} accepted: ${sold} .*\\. Left: ${left} ${unit}\\.\n`),
  );
});

it('names what was made and the command that shows it', async () => {
  expect(await told('products', 'create', '--name', 'Tea', '--price', '3')).toMatch(
    /^Created (\w{20}) Tea\. See it: cops products get \1\n$/,
  );
});

it('gives pipes, and who asks for a form, the answer of the service', async () => {
  const { subscription = '' } = ids;
  const piped = await home.run(['subscriptions', 'suspend', subscription]);
  expect(JSON.parse(piped.stdout)).toMatchObject({ code: 1, subscription_id: subscription });
  const asked = await home.run(['subscriptions', 'activate', subscription, '-o', 'json'], { terminal: 400 });
  expect(JSON.parse(asked.stdout)).toMatchObject({ code: 1, subscription_id: subscription });
});

it('recreates the sandbox only when a person confirms it, and says so in three lines', {
  tags: ['thorough'],
}, async () => {
  const place = new Home({});
  try {
    await place.run(['sandbox', 'reset']);
    const asked = place.start(['sandbox', 'reset'], { terminal: 400 });
    await expect.poll(() => asked.stderr(), { timeout: 10_000 }).toContain('Go ahead?');
    asked.type('n\r');
    expect((await asked.ended).code).toBe(12);
    const done = await place.run(['sandbox', 'reset', '--yes'], { terminal: 400 });
    expect(done.code).toBe(0);
    expect(done.stdout.trimEnd().split('\n')).toHaveLength(3);
  } finally {
    place.remove();
  }
});

it('wraps an explanation instead of cutting it', async () => {
  const { stdout } = await home.run(['explain', 'E0583', '--no-color'], { terminal: 80 });
  expect(stdout).not.toContain('…');
  expect(stdout.replace(/\s+/g, ' ')).toContain('nothing ran now.');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

it('refuses a skeleton that was not filled in, checked or not', async () => {
  const { stdout } = await home.run(['products', 'create', '--skeleton']);
  for (const more of [[], ['--no-validate']]) {
    const ran = await home.run(['products', 'create', '--body', '-', ...more], { input: stdout });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/name: still has the text of --skeleton/);
    expect(ran.stderr).toMatch(/price: still has the text of --skeleton/);
    expect(ran.stderr).toMatch(/enabled: still has the text of --skeleton/);
    expect(ran.stderr).toMatch(/age_group: still has the text of --skeleton/);
  }
});

it('names the other parts of an order of which one line was refunded whole', async () => {
  const query = '[?amount_refunded==`0` && amount_captured>`9` && length(shipping)==`1`].[id, shipping[0]]';
  const { stdout } = await home.run(['product-sales', 'list', '--last', '90d', '-q', '-o', 'json', '--query', query]);
  const sold = (JSON.parse(stdout) as string[][]).filter(([id]) => id !== ids.sold);
  const [[whole = '', parcel = ''] = [], [part = ''] = [], [other = '', later = ''] = []] = sold;
  const { stderr } = await home.run(['product-sales', 'refund', whole]);
  expect(stderr).toContain('everything left of this item is refunded');
  expect(stderr).toMatch(
    new RegExp(
      `Not refunded with it: shipping of the same order \\(O-\\d+\\), [\\d.]+ [A-Z]{3}\\. To refund that too: cops shipping refund ${parcel}$`,
      'm',
    ),
  );
  expect((await home.run(['product-sales', 'refund', part, '--amount', '1.00'])).stderr).not.toContain('Not refunded');
  const tried = await home.run(['shipping', 'refund', later, '--amount', '50%', '--dry-run']);
  expect(tried.stderr).toContain(`cops product-sales refund ${other} --amount 50%`);
  expect(tried.stderr).not.toContain(`shipping refund ${later}`);
});
