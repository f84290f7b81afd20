/** Permissions of restricted keys (service.md#permissions); those of other resources are unpublished. */
export const PERMISSIONS = {
  ai_assistant: ['retrieve', 'create', 'edit', 'trigger', 'delete'],
  ai_memo: ['retrieve', 'create', 'delete', 'mark_as_read'],
  ai_prompt: ['retrieve', 'create', 'edit'],
  fulfillment_account: ['retrieve', 'create', 'edit', 'delete'],
  site_fulfillment_center: ['retrieve'],
  function: ['retrieve', 'create', 'edit', 'trigger', 'delete'],
  site_gateway: ['retrieve'],
  user_gateway: ['retrieve', 'create', 'edit'],
  gateway_group: ['retrieve', 'create', 'edit', 'add_user_gateway', 'remove_user_gateway'],
  invoice: ['retrieve', 'create'],
  key_value: ['retrieve', 'create', 'edit', 'delete'],
  metadata: ['retrieve', 'insert'],
  note: ['create'],
  offline_payment: ['retrieve'],
  payment_profile: ['retrieve', 'create', 'edit'],
  wallet_account: ['retrieve', 'create', 'edit', 'delete'],
} as const;

/** Why no command lists keys, users or permissions. */
export const PERMISSIONS_UNLISTED =
  'The service lists no keys, no users and no permissions of a key; it answers a call that the key may not make with 403.';
