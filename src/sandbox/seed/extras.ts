import { STATES } from '../../catalogue/terms.js';
import { DAY, HOUR } from '../../time/units.js';
import { groundFields, moneyItem, paid } from '../builders.js';
import { amounts } from '../money.js';
import { paymentType } from '../payment-types.js';
import type { Value } from '../text.js';
import { type AccountData, named, type SeedScene } from './account.js';
import type { Made } from './recurring.js';
import type { SiteData } from './site.js';

/** Seeds what hangs on some purchases only: disputes, wallet, check and offline payments, notes. */
export function seedExtras(scene: SeedScene, account: AccountData, made: Made, _site: SiteData): void {
  const { writer, chance, day } = scene;
  const { live } = account;
  const filing = (customer: Value) => ({ customer: String(customer.id) });
  const fields = (customer: Value, word: 'credit_card' | 'wallet' | 'offline_payment' | 'check_direct'): Value =>
    groundFields({
      live,
      campaign: { id: String(customer.campaign_id), name: String(customer.campaign_name) },
      currency: 'USD',
      customer,
      shop: account.shop,
      paymentType: paymentType(word),
    });

  for (const [index, payment] of made.transactions.slice(0, 90).entries()) {
    const { customer } = payment;
    if (index % 12 === 0) {
      const at = Math.min(payment.at + 9 * DAY, day - 60);
      writer.add(
        'chargebacks',
        live,
        {
          id: chance.id(),
          created_date_unix: at,
          updated_date_unix: at,
          status: 'open',
          transaction_id: payment.id,
          amount: payment.cents / 100,
          arn: String(74_000_000_000 + chance.int(1_000_000)),
          case_number: `CB-${1000 + index}`,
          reason_code: chance.pick(['10.4', '13.1', '4837']),
          representment: {
            status: index % 24 === 0 ? 'initiated' : 'none',
            outcome: index % 24 === 0 ? 'pending' : null,
          },
          ...fields(customer, 'credit_card'),
          sales: [payment.sale],
          transactions: [payment.id],
          metadata: [],
        },
        filing(customer),
      );
    }
    if (index % 20 === 5) {
      const at = payment.at + 120;
      writer.add(
        'fraud_detections',
        live,
        {
          id: chance.id(),
          created_date_unix: at,
          updated_date_unix: at,
          status: 'false_positive',
          method: 'sale_create',
          source_type: 'sale',
          source_id: payment.sale,
          false_positive: true,
          ...fields(customer, 'credit_card'),
          sales: [payment.sale],
          transactions: [],
          metadata: [],
        },
        filing(customer),
      );
    }
    const kind = Math.floor(index / 6) % 3;
    if (index % 6 === 1)
      seedOtherPayment(
        scene,
        account,
        customer,
        kind === 0 ? 'check_direct' : kind === 1 ? 'wallet' : 'offline_payment',
        payment.at + 30,
        fields,
      );
    if (index % 9 === 4) {
      const at = payment.at + 300;
      const ledger = { original: payment.cents, discount: 0, refunded: 0, paid: 0, settled: 0, remaining: 0 };
      writer.add(
        'invoices',
        live,
        {
          ...moneyItem(chance.id(), at, ledger, {}, { status: chance.pick(['unpaid', 'void']) }),
          ...fields(customer, 'credit_card'),
        },
        filing(customer),
      );
    }
  }
}

function seedOtherPayment(
  scene: SeedScene,
  account: AccountData,
  customer: Value,
  word: 'wallet' | 'offline_payment' | 'check_direct',
  at: number,
  fields: (customer: Value, word: 'wallet' | 'offline_payment' | 'check_direct') => Value,
): void {
  const { writer, chance } = scene;
  const { live } = account;
  const family =
    word === 'wallet' ? 'wallet_transactions' : word === 'check_direct' ? 'check_directs' : 'offline_payments';
  const product = account.products[6 + chance.int(3)] as Value;
  const cents = Math.round(Number(product.price) * 100);
  const sale = chance.id();
  const line = chance.id();
  const payment = chance.id();
  const shared = fields(customer, word);
  const filing = { customer: String(customer.id) };
  const view = {
    id: product.id,
    name: product.name,
    quantity: 1,
    price: product.price,
    is_subscription: false,
    is_trial: false,
    internal_id: product.internal_id,
    sku: product.sku,
  };
  const links = { sales: [sale], product_sales: [line], [family]: [payment] };
  writer.add(
    'sales',
    live,
    {
      ...moneyItem(sale, at, paid(cents, true), links, { status: 'paid', fraud_alert: false }),
      products: [view],
      ...shared,
    },
    filing,
  );
  writer.add(
    'product_sales',
    live,
    {
      ...moneyItem(line, at, paid(cents, true), { ...links, product_sales: [] }, { status: 'paid' }),
      product: view,
      ...shared,
    },
    filing,
  );
  const value: Value = {
    id: payment,
    created_date_unix: at,
    updated_date_unix: at,
    status: 'completed',
    ...amounts(paid(cents, true)),
    ...shared,
    sales: [sale],
    metadata: [],
  };
  const accounts = writer.memory.wallet_accounts ?? [];
  const wallet = accounts[live ? 1 : 0];
  if (word === 'wallet')
    Object.assign(value, {
      wallet_transaction_id: `W${chance.int(1_000_000_000)}`,
      wallet_account: wallet ? named(wallet) : null,
    });
  writer.add(family, live, value, filing);
  if (word !== 'wallet' || !chance.happens(0.5)) return;
  writer.add(
    'wallet_disputes',
    live,
    {
      id: chance.id(),
      created_date_unix: at + HOUR,
      updated_date_unix: at + HOUR,
      wallet_dispute_created_date_unix: at + 3000,
      wallet_dispute_id: `PP-D-${chance.int(100_000)}`,
      wallet_dispute_amount: cents / 100,
      status: chance.pick(STATES.wallet_dispute),
      reason: chance.pick(['UNAUTHORISED', 'CREDIT_NOT_PROCESSED', 'DUPLICATE_TRANSACTION', 'OTHER']),
      wallet_account: wallet ? named(wallet) : null,
      wallet_transactions: [payment],
      ...shared,
    },
    filing,
  );
}
