/** @module-tag thorough */
/** What a line lacks is asked for at a terminal, where it would have failed (command-line.md#bodies). */
import { describe, expect, it } from 'vitest';
import { ok, wrote } from '../../fixtures/service/service.js';
import { A, B, pair } from '../helpers.js';

const PLAIN = { terminal: 100, env: { COPS_PLAIN: '1' } };
const QUESTION = { timeout: 8_000 };
const CAMPAIGN = { id: B, name: 'Default', live_mode: false, created_date_unix: 1_700_000_000 };

const shop = () =>
  pair(({ method, path }) => {
    if (method !== 'GET') return wrote('customer', A);
    if (path.startsWith('/customers/')) return ok({ id: A, live_mode: false, email: 'jane@example.com' });
    return ok({ results: [CAMPAIGN], current_page: 1, current_count: 1, total_count: 1, total_pages: 1 });
  });

/** Answers questions one after another as they come. */
async function answered(words: readonly string[], answers: readonly (readonly [question: string, answer: string])[]) {
  const { home, service } = await shop();
  const running = home.start(words, PLAIN);
  let from = 0;
  for (const [question, answer] of answers) {
    await expect.poll(() => running.stderr().slice(from), QUESTION).toContain(question);
    from = running.stderr().indexOf(question, from) + question.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    running.type(`${answer}\n`);
  }
  const ran = await running.ended;
  return { ran, posts: service.requests.filter(({ method }) => method !== 'GET') };
}

describe('a field that a line lacks', () => {
  it('is asked for with its type, again where it does not fit, and the line is said', async () => {
    const { ran, posts } = await answered(
      ['customers', 'create', '-d', 'customer.first_name=Jane'],
      [
        ['or nothing to leave:', '1'],
        ['customer last name (text):', 'Doe'],
        ['customer email (e-mail address):', 'jane'],
        ['customer email (e-mail address):', 'jane@example.com'],
      ],
    );
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('customer.email: is not an e-mail address');
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain(
      'cops customers create -d customer.first_name=Jane -d campaign=BBBBBBBBBBBBBBBBBBB2 -d customer.last_name=Doe -d customer.email=jane@example.com',
    );
    expect(posts.map(({ json }) => json)).toEqual([
      expect.objectContaining({
        campaign: B,
        customer: { first_name: 'Jane', last_name: 'Doe', email: 'jane@example.com' },
      }),
    ]);
  });

  it('is hidden where it is a secret', async () => {
    const { ran, posts } = await answered(
      ['customers', 'add-card', A],
      [
        ['exp month (whole number; 1 to 12)', '4'],
        ['exp year', '30'],
        ['card_number (not shown)', '4242424242424242'],
        ['card_code (not shown)', '123'],
      ],
    );
    expect(ran.code).toBe(0);
    expect(ran.stderr).not.toContain('4242424242424242');
    const card = { card_number: '4242424242424242', card_code: '123', exp_month: 4, exp_year: 30 };
    expect(posts.map(({ json }) => json)).toEqual([expect.objectContaining({ payment: { credit_card: card } })]);
  });

  it.each([
    ['a field', ['customers', 'create'], [['or nothing to leave:', '']]],
    ['a choice', ['sales', 'create'], [['or nothing to leave:', '']]],
    [
      'a secret',
      ['customers', 'add-card', A],
      [
        ['exp month', '4'],
        ['exp year', '30'],
        ['card_number (not shown)', ''],
      ],
    ],
  ] as const)('sends nothing and ends with 2 where nothing is given for %s', async (_, words, answers) => {
    const { ran, posts } = await answered(words, answers);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(posts).toEqual([]);
  });

  it('is chosen from the list of its family, or from its values', async () => {
    const { ran, posts } = await answered(
      ['sales', 'create'],
      [
        ['or nothing to leave:', '1'],
        ['iso currency', 'EUR'],
        ['or nothing to leave:', '3'],
      ],
    );
    expect(ran.code).toBe(0);
    expect(posts.map(({ json }) => json)).toEqual([
      expect.objectContaining({ campaign: B, iso_currency: 'EUR', payment_type: 'offline_payment' }),
    ]);
  });

  it.each([
    ['without a terminal', [], {}],
    ['with --no-input', ['--no-input'], { terminal: 80 }],
    ['with --yes', ['--yes'], { terminal: 80 }],
    ['in CI', [], { terminal: 80, env: { CI: '1' } }],
    ['into a pipe', [], { terminal: 80, stdout: { columns: undefined } }],
  ])('is not asked for %s', async (_, words, options) => {
    const { home, service } = await shop();
    const ran = await home.run(['customers', 'create', ...words], options);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('campaign: is required');
    expect(service.requests).toEqual([]);
  });
});
