import { DEFAULTS, type FamilyActionSpec } from '../../../session/context/spec.js';

/** The families whose lists are ordered by creation time. */
const FAMILIES =
  'ai_memos ai_threads ai_voice_calls api_calls chargebacks check_directs customer_cards customers discounts fraud_detections invoices offline_payments pending_refunds product_sales sales salvage_transactions shipping site_events site_logs smtp_messages subscription_renewals subscriptions tax transactions trials wallet_disputes wallet_transactions';

export const spec: FamilyActionSpec = {
  name: 'tail',
  dryRun: 'shows',
  aliases: ['watch', 'follow'],
  families: FAMILIES.split(' '),
  about: 'Show new items as they come, until Ctrl-C',
  options: [
    { flags: '--interval <seconds>', about: `pause between two looks (default ${DEFAULTS.tailInterval})` },
    { flags: '--since <span>', about: 'begin this long ago instead of now: 30min, 1h, 2d' },
  ],
  listFilters: true,
  examples: ['sales tail', 'transactions tail --since 1h', 'api-calls tail --interval 2'],
};
