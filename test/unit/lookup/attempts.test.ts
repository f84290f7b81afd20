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

it('says what a charge adds up to, with the shipping of its renewal, and where the parcel is', () => {
  const lines = { shipping: ['Shippinggh0123456789'], tax: ['Taxtaxtaxt0123456789'] };
  const one = (family: string, id: string, value: object) => ({ ...known(family, { id, ...value }), id });
  const shipping = one('shipping', 'Shippinggh0123456789', {
    amount_original_total: 4.95,
    status: 'shipped',
    provider: { name: 'dhl' },
    tracking_number: '1Z7',
  });
  const tax = one('tax', 'Taxtaxtaxt0123456789', { amount_original_total: 1 });
  const off = one('discounts', 'Discountss0123456789', { amount: 5, name: 'FIVEOFF' });
  const mugs = one('product_sales', 'Productsal0123456789', {
    amount_original_total: 50,
    product: { name: 'Mug', quantity: 2, price: 25 },
  });
  const renewal = one('subscription_renewals', 'Renewalren0123456789', {
    ...lines,
    amount_original_total: 25.95,
    product: { name: 'Tea', quantity: 1, price: 20 },
  });
  const bought = { ...lines, discounts: [off.id], product_sales: [mugs.id] };
  const cases: readonly (readonly [object, string])[] = [
    [
      { amount: 50.95, iso_currency: 'USD', ...bought },
      '50.95 USD = 50.00 Mug (2 x 25) + 4.95 shipping + 1.00 tax - 5.00 discount FIVEOFF.',
    ],
    [
      { amount: 25.95, iso_currency: 'USD', subscription_renewals: [renewal.id] },
      '25.95 USD = 20.00 Tea + 4.95 shipping + 1.00 tax.',
    ],
    [{ amount: 60, iso_currency: 'USD', ...bought }, 'another sum than the 60.00 USD charged: 50.95 USD ='],
  ];
  for (const [value, sum] of cases) {
    const said = sentencesOf(known('transactions', value), [shipping, tax, off, mugs, renewal], 300, String).join('\n');
    expect(said).toContain(sum);
    expect(said).toContain('Parcel Shippinggh0123456789: shipped, dhl, tracking number 1Z7.');
  }
  // Without one of its lines, nothing is said.
  const [first] = cases;
  expect(sentencesOf(known('transactions', first?.[0] ?? {}), [tax, off, mugs], 300, String).join()).not.toContain(
    ' = ',
  );
});
