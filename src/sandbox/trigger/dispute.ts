import { raising } from '../automation/emit-events.js';
import { newItemHead } from '../rules/call.js';
import type { Value } from '../store/item-values.js';
import { orderBy } from './goods.js';
import type { Recipe } from './trigger-tools.js';

/** No operation makes a wallet dispute: the brand reports it (published), here for a wallet payment. */
export const disputeWallet: Recipe = async (tools) => {
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
