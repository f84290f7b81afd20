import { raising } from '../automation/emit-events.js';
import { newItemHead } from '../rules/call.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, type Value } from '../store/item-values.js';
import { card, decline, failing, inState, orderBy, part, type Subject, salvage } from './goods.js';
import { CARDS, type Recipe, type Tools } from './trigger-tools.js';

/** No operation makes a wallet dispute: the brand reports it (published), here for a wallet payment. */
const disputeWallet: Recipe = async (tools) => {
  const payment = await tools.subject(
    'wallet_transactions',
    () => true,
    async () => {
      const bought = await orderBy(tools.alone(), 'wallet');
      const sale = tools.get('sales', (await tools.post('/sales', bought)).sale_id);
      return tools.get('wallet_transactions', (sale.value.wallet_transactions as string[])[0]);
    },
  );
  const { store, live } = tools;
  const scene = tools.scene();
  const { sales, customer, ship_to, campaign_id, campaign_name, iso_currency } = payment.value;
  const account = tools.find('wallet_accounts');
  const dispute: Value = {
    ...newItemHead(scene),
    wallet_dispute_created_date_unix: scene.now,
    wallet_dispute_id: tools.word(),
    wallet_dispute_amount: payment.value.amount_captured,
    status: 'OPEN',
    reason: 'UNAUTHORISED',
    wallet_account: account ? { id: account.id, name: account.value.name } : null,
    wallet_transactions: [payment.id],
    sales,
    live_mode: live,
    campaign_id,
    campaign_name,
    iso_currency,
    customer,
    ship_to,
    metadata: [],
  };
  const filing = { live, customer: payment.customer };
  store.transaction(() => raising(scene, () => store.insert('wallet_disputes', dispute, filing)));
};

const any = () => true;

const act =
  (subject: Subject, action: string, body: (item: Stored, tools: Tools) => Value = () => ({})): Recipe =>
  async (tools) => {
    const item = await subject(tools);
    await tools.post(`/${item.family}/${item.id}${action}`, body(item, tools));
  };

async function newCustomer(tools: Tools): Promise<Stored> {
  const made = await tools.post('/customers', {
    campaign: tools.find('campaigns')?.id,
    customer: { first_name: 'Jane', last_name: 'Doe', email: `${tools.word()}@example.com`, country: 'USA' },
  });
  return tools.get('customers', made.customer_id);
}
const customer = (tools: Tools) => tools.subject('customers', any, () => newCustomer(tools));

/** Puts a customer into or out of a group first, so that the event is a real change. */
const grouped =
  (joins: boolean): Recipe =>
  async (tools) => {
    const { id, value } = await customer(tools);
    const group = String(
      tools.find('customer_groups')?.id ??
        (await tools.post('/customer_groups', { name: tools.word() })).customer_group_id,
    );
    const isIn = idsUnder(value, 'customer_group').includes(group);
    const change = (join: boolean) =>
      tools.post(`/customers/${id}/${join ? 'add_to' : 'remove_from'}_group`, { customer_group: [group] });
    if (isIn === joins) await change(!joins);
    await change(joins);
  };

const switched =
  (on: boolean): Recipe =>
  async (tools) => {
    const { id, value } = await customer(tools);
    if ((value.enabled !== false) === on) await tools.post(`/customers/${id}/${on ? 'disable' : 'enable'}`);
    await tools.post(`/customers/${id}/${on ? 'enable' : 'disable'}`);
  };

const subscription = (...states: string[]) =>
  inState('subscriptions', states, 'subscription', `has the status ${states.join(' or ')}`);
const renewable = subscription('active', 'overdue');

const failedRenewal: Recipe = async (tools) => {
  await tools.post(`/subscriptions/${(await failing(tools)).id}/renew`);
};

const activated: Recipe = async (tools) => {
  const item = await subscription('active', 'suspended')(tools);
  if (item.value.status === 'active') await tools.post(`/subscriptions/${item.id}/suspend`);
  await tools.post(`/subscriptions/${item.id}/activate`);
};

const lastOccurrence: Recipe = async (tools) => {
  const item = await tools.subject('subscriptions', any, () => part(tools, 'subscriptions', 'limited'));
  await tools.post(`/subscriptions/${item.id}/renew`);
};

const trial = inState('trials', ['active'], 'trial', 'is active');

const failedTrial: Recipe = async (tools) => {
  const item = await trial(tools);
  await decline(tools, item);
  await tools.post(`/trials/${item.id}/expire`);
};

const shipment = inState('shipping', ['notshipped'], 'shelved', 'is not shipped yet');

const processed =
  (number: string): Recipe =>
  async (tools) => {
    const item = await salvage(tools);
    await tools.post(`/salvage_transactions/${item.id}/process`, { payment: { credit_card: card(number) } });
  };

const cleared: Recipe = async (tools) => {
  const item = await tools.subject(
    'fraud_detections',
    ({ false_positive: known }) => known !== true,
    async () => {
      const sale = await part(tools, 'sales', 'plain');
      const made = await tools.post('/fraud_detections', { source_id: sale.id });
      return tools.get('fraud_detections', made.fraud_detection_id);
    },
    'is not a false positive yet',
  );
  await tools.post(`/fraud_detections/${item.id}`, { false_positive: true });
};

async function newProduct(tools: Tools): Promise<Stored> {
  const made = await tools.post('/products', { name: tools.word(), price: 20 });
  return tools.get('products', made.product_id);
}
const product = (tools: Tools) => tools.subject('products', any, () => newProduct(tools));
const newPart =
  (family: string, good: 'subscription' | 'trial'): Recipe =>
  async (tools) => {
    await part(tools, family, good);
  };

/** How to make all other events happen, by the longest notation. */
export const ITEM_RECIPES: Readonly<Record<string, Recipe>> = {
  'ai_memo.created': async (tools) => {
    const thread = await tools.subject('ai_threads', any);
    await tools.post('/ai_memos', { ai_thread_id: thread.id, subject: 'Triggered', message: 'A memo.' });
  },
  'chargeback.created': async (tools) => {
    const payment = await tools.subject(
      'transactions',
      ({ result }) => result === 'approved',
      () => part(tools, 'transactions', 'plain'),
      'was approved',
    );
    await tools.post('/chargebacks', { transaction_id: payment.id });
  },
  'customer.created': async (tools) => void (await newCustomer(tools)),
  'customer.updated': act(customer, '', (_item, tools) => ({ customer: { first_name: tools.word() } })),
  'customer.updated.add_card': act(customer, '/payment_methods', () => ({
    payment: { credit_card: card(CARDS.approved) },
  })),
  'customer.updated.address': act(customer, '', (_item, tools) => ({ customer: { address_line_1: tools.word() } })),
  'customer.updated.disabled': switched(false),
  'customer.updated.enabled': switched(true),
  'customer.updated.customer_group.added': grouped(true),
  'customer.updated.customer_group.removed': grouped(false),
  'fraud_detection.created': async (tools) => {
    const sale = await tools.subject('sales', any, () => part(tools, 'sales', 'plain'));
    await tools.post('/fraud_detections', { source_id: sale.id });
  },
  'fraud_detection.updated.false_positive': cleared,
  'note.created': async (tools) => {
    const { id } = await customer(tools);
    await tools.post('/notes', { item_type: 'customer', item_id: id, text: 'Triggered.' });
  },
  'wallet_dispute.created': disputeWallet,
  'product.created': async (tools) => void (await newProduct(tools)),
  'product.updated': act(product, '', (_item, tools) => ({ description: tools.word() })),
  'product.deleted': act(product, '/delete'),
  'salvage_transaction.created': failedRenewal,
  'salvage_transaction.updated.processed.failed': processed(CARDS.declined),
  'salvage_transaction.updated.processed.success': processed(CARDS.approved),
  'shipping.updated.delivered': act(shipment, '', () => ({ status: 'delivered' })),
  'shipping.updated.ship_to': act(shipment, '', (item, tools) => ({
    ship_to: { ...(item.value.ship_to as Value), address_line_1: tools.word() },
  })),
  'shipping.updated.shipped': act(shipment, '', () => ({ status: 'shipped' })),
  'subscription.created': newPart('subscriptions', 'subscription'),
  'subscription.updated.renewed.failed': failedRenewal,
  'subscription.updated.renewed.success': act(renewable, '/renew'),
  'subscription.updated.status.active': activated,
  'subscription.updated.status.cancelled': act(subscription('active', 'overdue', 'suspended'), '/cancel'),
  'subscription.updated.status.occurrence_limit': lastOccurrence,
  'subscription.updated.status.overdue': failedRenewal,
  'subscription.updated.status.suspended': act(subscription('active'), '/suspend'),
  'subscription_renewal.updated.failed': failedRenewal,
  'subscription_renewal.updated.success': act(renewable, '/renew'),
  'trial.created': newPart('trials', 'trial'),
  'trial.updated.cancelled': act(trial, '/cancel'),
  'trial.updated.expired.failed': failedTrial,
  'trial.updated.expired.success': act(trial, '/expire'),
  'trial.updated.extended': act(trial, '/extend', () => ({ days: 3 })),
  'trial.updated.shortened': act(trial, '/shorten', () => ({ days: 1 })),
};
