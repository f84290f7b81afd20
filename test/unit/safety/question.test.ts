import { describe, expect, it } from 'vitest';
import { confirm } from '../../../src/account/safety/decide.js';
import { questionLines, refundAmounts } from '../../../src/account/safety/question.js';
import { valuesOf } from '../../../src/items/json/lossless.js';
import { failure, profile } from './tools.js';

const RENEWAL =
  '{"id":"r1","amount_original_total":50.00,"amount_refunded":19.90,"amount_total":30.10,"iso_currency":"USD",' +
  '"customer":{"id":"c1","first_name":"Ada","last_name":"Lovelace","email":"ada@example.com"},"sales":["S1"]}';

const refund = {
  profile: profile({ mode: 'live', proof: 'proven' }),
  family: 'subscription-renewals',
  operation: {
    action: 'refund',
    summary: 'Refunds a renewal',
    preview: { refund: true, show: [], says: ['No way back.'] },
  },
  risk: 'irreversible',
  ids: ['r1'],
  tz: 'UTC',
} as const;

describe('the question of a refund', () => {
  it('tells amount, refunded, left and customer in the digits that came', () => {
    const text = questionLines({ ...refund, item: valuesOf(RENEWAL) }).join('\n');
    expect(text).toContain('LIVE mode, profile acme');
    expect(text).toContain('Amount: 50.00 USD');
    expect(text).toContain('Already refunded: 19.90 USD');
    expect(text).toContain('Left: 30.10 USD');
    expect(text).toContain('Ada Lovelace, ada@example.com, c1');
    expect(text).toContain('No way back.');
  });

  it('names the narrower refund with the id as it is, whatever is in it', () => {
    const preview = { ...refund.operation.preview, narrower: 'sales refund <id>' };
    const lines = questionLines({ ...refund, ids: ['a$&b'], operation: { ...refund.operation, preview } });
    expect(lines.join('\n')).toContain("sales refund 'a$&b'");
  });

  it('says when more is asked than is left', () => {
    const lines = questionLines({ ...refund, item: valuesOf(RENEWAL), body: valuesOf('{"amount":30.11}') });
    expect(lines.join('\n')).toMatch(/Refunding now: 30.11 USD\n.*more than what is left/);
    const fits = questionLines({ ...refund, item: valuesOf(RENEWAL), body: valuesOf('{"amount":30.10}') });
    expect(fits.join('\n')).not.toMatch(/more than/);
  });

  it('writes a sum with the digits of what it stands beside', () => {
    const lines = questionLines({ ...refund, item: valuesOf(RENEWAL), body: valuesOf('{"amount":1}') });
    expect(lines).toContain('  Refunding now: 1.00 USD');
  });

  it('says what an edit makes of what it shows, and nothing of what stays', () => {
    const edit = {
      ...refund,
      family: 'subscriptions',
      operation: {
        action: 'edit',
        summary: 'Edit a subscription',
        preview: { show: ['amount', 'status'].map((path) => ({ path, label: path })), says: ['Pause: <id>.'] },
      },
      item: valuesOf('{"amount":12.50,"status":"active","iso_currency":"CAD"}'),
    } as const;
    const lines = questionLines({ ...edit, body: valuesOf('{"amount":5}') });
    expect(lines).toContain('  amount: 12.50 CAD -> 5.00 CAD');
    expect(lines).toContain('  status: active');
    expect(lines).toContain('Pause: r1.');
    expect(questionLines({ ...edit, body: valuesOf('{"amount":12.50}') })).toContain('  amount: 12.50 CAD');
  });

  it('names the void for an offline payment and leaves out the narrower refund', () => {
    const offline = RENEWAL.replace(
      '"sales"',
      '"payment_type":{"id":"1rdzjX2rrkcNjPXMEvOm","name":"Offline Payment"},"sales"',
    );
    const preview = { ...refund.operation.preview, narrower: 'product-sales refund <product_sale_id>' };
    const text = questionLines({
      ...refund,
      operation: { ...refund.operation, preview },
      item: valuesOf(offline),
    }).join('\n');
    expect(text).toContain('cops sales void S1');
    expect(text).not.toContain('Narrower');
    const card = questionLines({ ...refund, operation: { ...refund.operation, preview }, item: valuesOf(RENEWAL) });
    expect(card.join('\n')).toContain('Narrower: cops product-sales refund <product_sale_id>');
  });

  it('makes nothing up', () => {
    const text = questionLines({ ...refund, item: valuesOf('{"id":"r1"}') }).join('\n');
    expect(text).not.toMatch(/Left|Customer|Amount|undefined|null|NaN/);
    expect(questionLines({ ...refund, itemMissing: 'HTTP 500' }).join('\n')).toContain('could not be read: HTTP 500');
  });

  it.each([
    ['{"amount":0.3,"amount_refunded":0.1}', '0.2'],
    ['{"amount":"12345678901234567890.01","amount_refunded":"0.01"}', '12345678901234567890.00'],
    ['{"amount_original_total":50,"amount_refunded":10,"amount_total":35}', '35'],
    ['{"amount_original_total":50,"amount_refunded":20,"amount_total":40}', '30'],
    ['{"amount":"x","amount_refunded":1}', undefined],
    ['{"amount":5}', undefined],
  ])('%s leaves %s', (raw, left) => expect(refundAmounts(valuesOf(raw)).left).toBe(left));
});

describe('the question of a cancellation', () => {
  const cancel = {
    profile: profile({ mode: 'test' }),
    family: 'subscriptions',
    operation: {
      action: 'cancel',
      summary: 'Cancels',
      preview: {
        show: [{ path: 'status', label: 'Status' }],
        says: [],
        undo: 'Cancelling cannot be undone; suspending can.',
      },
    },
    risk: 'irreversible',
    ids: ['s1'],
    tz: 'Europe/Berlin',
    item: valuesOf('{"status":"active","customer":{"email":"a@b.c"},"billing":{"next_renewal_date_unix":1764576000}}'),
  } as const;

  it('shows customer, next renewal and the way that can be undone', () => {
    const text = questionLines(cancel).join('\n');
    expect(text).toContain('not proven');
    expect(text).toContain('Status: active');
    expect(text).toContain('customer: a@b.c');
    expect(text).toContain('Next renewal: 2025-12-01 09:00 (Europe/Berlin)');
    expect(text).toContain('Cancelling cannot be undone; suspending can.');
    expect(text).not.toContain('This cannot be undone.');
  });

  it('says that there is no way back, whatever the words in the item', () => {
    const preview = { ...cancel.operation.preview, undo: undefined };
    const text = questionLines({
      ...cancel,
      operation: { ...cancel.operation, preview },
      item: valuesOf('{"status":"undone"}'),
      named: ['"undone" is s1'],
      sets: [['note', 'suspend, undone']],
    });
    expect(text).toContain('This cannot be undone.');
  });
});

describe('confirm', () => {
  const asked: string[] = [];
  const asker = (yes: boolean) => async () => ({
    confirm: async () => yes,
    typed: async (_question: string, expected: string) => {
      asked.push(expected);
      return yes;
    },
  });
  const base = { lines: ['a'], expected: 's1', show: () => {} };

  it('passes on a yes, stops on a no, asks nothing when allowed', async () => {
    await confirm({ ...base, decision: 'ask', asker: asker(true) });
    expect((await failure(confirm({ ...base, decision: 'ask', asker: asker(false) }))).exitCode).toBe(12);
    expect((await failure(confirm({ ...base, decision: 'ask-typed', asker: asker(false) }))).exitCode).toBe(12);
    expect(asked).toEqual(['s1']);
    await confirm({ ...base, decision: 'allow', asker: () => Promise.reject(new Error('asked')) });
  });
});
