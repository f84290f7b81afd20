import { DAY, HOUR } from '../../base/time/units.js';
import { STATES } from '../../catalogue/terms.js';
import { dated, groundFields, moneyItem, open, paid, productView } from '../rules/builders.js';
import { amountsOf } from '../rules/money.js';
import { OTHER_FAMILIES } from '../rules/payments.js';
import type { Value } from '../store/item-values.js';
import { purchaseGround } from './life.js';
import { type AccountData, idAndName, type SeedScene } from './seed-account.js';
import type { Made } from './seed-recurring.js';

const OTHERS = ['check_direct', 'wallet', 'offline_payment'] as const;

/** Seeds what only some purchases have: disputes, wallet, check and offline payments, invoices. */
export function seedExtras(scene: SeedScene, account: AccountData, made: Made, wallet: Value): void {
  const { chance, day } = scene;
  for (const [index, payment] of made.transactions.slice(0, scene.isVaried ? 900 : 90).entries()) {
    const { customer, sale } = payment;
    const add = (family: string, value: Value) =>
      scene.writer.add(family, account.live, value, { customer: String(customer.id) });
    const shared = groundFields(purchaseGround(account, customer, account.shop));
    if (index % 12 === 0)
      add('chargebacks', {
        ...dated(chance.id(), Math.min(payment.at + 9 * DAY, day - 60)),
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
        ...shared,
        sales: [sale],
        transactions: [payment.id],
        metadata: [],
      });
    if (index % 20 === 5)
      add('fraud_detections', {
        ...dated(chance.id(), payment.at + 120),
        status: index % 40 === 25 && scene.isVaried ? 'open' : 'false_positive',
        method: 'sale_create',
        source_type: 'sale',
        source_id: sale,
        false_positive: !(index % 40 === 25 && scene.isVaried),
        ...shared,
        sales: [sale],
        transactions: [],
        metadata: [],
      });
    const word = OTHERS[Math.floor(index / 6) % 3] as (typeof OTHERS)[number];
    if (index % 6 === 1) seedOtherPayment(scene, account, { add, customer, word, at: payment.at + 30, wallet });
    if (index % 9 === 4) {
      const id = chance.id();
      const state = { status: chance.pick(['unpaid', 'void']) };
      add('invoices', { ...moneyItem(id, payment.at + 300, open(payment.cents), {}, state), ...shared });
    }
  }
}

/** A sale paid by another means than a card; every second wallet payment is disputed. */
function seedOtherPayment(
  { chance }: SeedScene,
  account: AccountData,
  facts: {
    add: (family: string, value: Value) => void;
    customer: Value;
    word: keyof typeof OTHER_FAMILIES;
    at: number;
    wallet: Value;
  },
): void {
  const { add, word, at } = facts;
  const family = OTHER_FAMILIES[word];
  const product = account.products[6 + chance.int(3)] as Value;
  const cents = Math.round(Number(product.price) * 100);
  const sale = chance.id();
  const line = chance.id();
  const payment = chance.id();
  const shared = groundFields(purchaseGround(account, facts.customer, account.shop, word));
  const view = productView(product, 1, product.price as number);
  const links = { sales: [sale], product_sales: [line], [family]: [payment] };
  const ledger = paid(cents, true);
  const state = { status: 'paid', fraud_alert: false };
  add('sales', { ...moneyItem(sale, at, ledger, links, state), products: [view], ...shared });
  const own = moneyItem(line, at, ledger, { ...links, product_sales: [] }, { status: 'paid' });
  add('product_sales', { ...own, product: view, ...shared });
  const isWallet = word === 'wallet';
  const ofWallet = { wallet_account: idAndName(facts.wallet) };
  add(family, {
    ...dated(payment, at),
    status: 'completed',
    ...amountsOf(ledger),
    ...shared,
    sales: [sale],
    metadata: [],
    ...(isWallet ? { wallet_transaction_id: `W${chance.int(1_000_000_000)}`, ...ofWallet } : {}),
  });
  if (!isWallet || !chance.happens(0.5)) return;
  add('wallet_disputes', {
    ...dated(chance.id(), at + HOUR),
    wallet_dispute_created_date_unix: at + 3000,
    wallet_dispute_id: `PP-D-${chance.int(100_000)}`,
    wallet_dispute_amount: cents / 100,
    status: chance.pick(STATES.wallet_dispute),
    reason: chance.pick(['UNAUTHORISED', 'CREDIT_NOT_PROCESSED', 'DUPLICATE_TRANSACTION', 'OTHER']),
    ...ofWallet,
    wallet_transactions: [payment],
    ...shared,
  });
}
