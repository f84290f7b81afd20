import { expect, it } from 'vitest';
import { parseLossless } from '../../../src/items/json/lossless.js';
import { sentencesOf } from '../../../src/session/lookup/why.js';

const known = (family: string, value: object) => {
  const raw = JSON.stringify(value);
  return { family, id: 'Abcdefghij0123456789', raw, item: parseLossless(raw) } as Parameters<typeof sentencesOf>[0];
};

it('takes no refund that is a transaction of its own for the last attempt', () => {
  const sale = known('sales', { status: 'paid' });
  const payment = known('transactions', { result: 'declined', method: 'sale_create', created_date_unix: 100 });
  const refund = known('transactions', { result: 'approved', method: 'refund', created_date_unix: 200 });
  const said = sentencesOf(sale, [sale, payment, refund], 300, String, 100).join('\n');
  expect(said).toContain('Last attempt 100: declined');
  expect(said).toContain('no earlier one');
});
