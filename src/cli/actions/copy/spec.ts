import type { FamilyActionSpec } from '../../../session/context/spec.js';
import { APPLY_OPTIONS, CONCURRENCY } from '../../../setup/setup-options.js';

/** The families whose objects a set-up holds by name; a family with a single item is promoted instead. */
const FAMILIES =
  'ai_assistants ai_prompts ai_voice_agents ai_voice_snippets bin_profiles coupon_profiles coupons customer_groups customer_portals email_templates fulfillment_accounts functions gateway_groups key_values payment_profiles product_groups products projects shipping_profiles sites smtp_profiles subscription_profiles tax_profiles tracking_domains url_parameter_sets user_gateways user_shops user_third_party_integrations wallet_accounts';

/** `cops products copy <id> --to acme:live`: promotes one object together with everything it refers to. */
export const spec: FamilyActionSpec = {
  name: 'copy',
  dryRun: 'shows',
  families: FAMILIES.split(' '),
  about: 'Copy one object with what it refers to into another account or mode',
  arguments: [{ name: '<ids...>', about: 'ids or names' }],
  options: [
    { flags: '--to <profile:mode>', about: 'the environment that it is copied into' },
    { flags: '--to-env <profile:mode>', about: 'the same as --to' },
    { flags: '--from <profile:mode>', about: 'where it is copied from (default: profile and mode of the line)' },
    { flags: '--from-env <profile:mode>', about: 'the same as --from' },
    { flags: '--overwrite-drift', about: 'also overwrite what differs there' },
    ...APPLY_OPTIONS,
    CONCURRENCY,
  ],
  examples: [
    'products copy "Coffee Club" --to sandbox:live',
    'products copy "Coffee Club" "Ceramic Mug" --to sandbox:live --yes',
    'products copy 7oU63UlmFI5ibruvt8GA --from sandbox:test --to sandbox:live',
  ],
};
