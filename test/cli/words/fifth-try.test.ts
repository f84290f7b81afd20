/** @module-tag thorough */
/** Lines that engineers type first: the policy in their own words, what failed, what is new, trouble on purpose. */
import { describe, expect, it } from 'vitest';
import { home, json } from '../helpers.js';

const SANDBOX = ['-p', 'sandbox'];

describe('the policy', () => {
  const rules = async (made: ReturnType<typeof home>) =>
    json<{ rules: Record<string, unknown>[] }>(await made.run(['policy', '-o', 'json'])).rules;

  it('takes a rule in words, and says as what', async () => {
    const made = home();
    const ran = await made.run(['policy', 'add', 'refunds', 'over', '100', 'USD']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("This is read as cops policy add --operations refunds --most '100 USD'.");
    const never = await made.run(['policy', 'add', 'subscriptions', 'cancel']);
    expect(never.stderr).toContain("This is read as cops policy add --never 'subscriptions cancel'.");
    expect(await rules(made)).toMatchObject([
      { operations: expect.arrayContaining(['transactions refund', 'sales void']), most: { USD: '100.00' } },
      { never: ['subscriptions cancel'] },
    ]);
    for (const words of [['blah', 'over', '5', 'USD'], ['blah'], ['refunds', '--never', 'sales void']])
      expect((await made.run(['policy', 'add', ...words])).code).toBe(2);
    expect(await rules(made)).toHaveLength(2);
  });

  it('names what does a forbidden write along with its own, until that is forbidden to all', async () => {
    const made = home();
    const add = (...more: string[]) => made.run(['policy', 'add', '--never', ...more]);
    const line = "To forbid that as well: cops policy add --never 'sales void, trials cancel'";
    expect((await add('subscriptions cancel')).stderr.replace(/\s+/g, ' ')).toContain(line);
    expect((await add('sales void', '--who', 'agent')).stderr.replace(/\s+/g, ' ')).toContain(line);
    expect((await made.run(['policy', 'show'])).stderr.replace(/\s+/g, ' ')).toContain(line);
    expect((await add('sales void', '--never', 'trials')).stderr).not.toContain('along with it');
  });

  it('leads from an option without its action to the action that takes it', async () => {
    const made = home();
    expect((await made.run(['policy', '--never', 'subscriptions cancel'])).stderr).toContain(
      `Did you mean "cops policy add --never 'subscriptions cancel'"?`,
    );
    expect((await made.run(['mcp', 'install'])).stderr).toContain('client: claude-code, claude-desktop');
  });
});

it('shows of the history what was not done', async () => {
  const made = home();
  const gone = 'ABCDEABCDEABCDEABCDE';
  await made.run([...SANDBOX, 'customer-groups', 'create', '--name', 'x', '--yes']);
  await made.run([...SANDBOX, 'subscriptions', 'suspend', gone, '--yes']);
  const failed = json<object[]>(await made.run(['history', '--failed', '--last', '1h', '-o', 'json']));
  expect(failed).toMatchObject([{ operation: 'subscriptions suspend', outcome: 'refused' }]);
  expect(json<object[]>(await made.run(['history', '-o', 'json']))).toHaveLength(2);
});

it.each([
  [['--fail', '105%'], '--fail is read as --fault 500=105%.'],
  [['--fault', '5%'], 'give one with its share, as in 500=5%'],
])('reads how often the sandbox is to fail: %j', async (options, says) => {
  const ran = await home().run(['sandbox', 'serve', ...options]);
  expect([ran.code, ran.stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(says)]);
});

it('reads tail of a family as its tail, and guesses none', async () => {
  for (const line of [
    ['tail', 'sales'],
    ['sales', 'list', '--follow'],
    ['sales', '--quiet', 'list', '--watch'],
  ]) {
    const ran = await home().run([...SANDBOX, ...line, '--other']);
    expect(ran.stderr).toContain('cops sales tail takes');
  }
  expect((await home().run([...SANDBOX, 'watch'])).stderr).toContain('Did you mean "cops -p sandbox sales tail"?');
});

describe('a bulk run', () => {
  it.each([
    [['bulk', 'cancel', 'subscriptions', 'two.csv'], 'cops bulk subscriptions cancel two.csv'],
    [['bulk', 'retry', 'run.journal'], 'cops bulk retry-failed run.journal'],
    [['subscriptions', 'cancel', '--csv', 'two.csv'], 'cops bulk subscriptions cancel --csv two.csv'],
    [['bulk', 'nothing', 'rows.tsv'], 'cops bulk subscriptions suspend --input rows.tsv'],
  ])('that is said in another order has its line: %j', async (line, hint) => {
    const ran = await home().run(line);
    expect([ran.code, ran.stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(hint)]);
  });

  it('is taken where the family stands in front', async () => {
    const ran = await home().run([...SANDBOX, 'subscriptions', 'bulk', 'cancel', 'none.csv']);
    expect(ran.stderr).toContain('subscriptions bulk is read as bulk subscriptions.');
    expect(ran.stderr).toContain('none.csv is read as --input none.csv.');
    expect(ran.code).toBe(11);
  });
});

it('copies to the place that stands last', async () => {
  const ran = await home().run([...SANDBOX, 'products', 'copy', 'Coffee Club', 'live', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('live is read as sandbox:live.');
});
