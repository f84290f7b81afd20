import { SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from './keys.js';

/** An API account of the sandbox: what a key may do, and whose items it sees (spec section 5). */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly live: boolean;
  readonly enabled: boolean;
  /** Permission names of spec 5.4; absent for a key that may do everything. */
  readonly permissions?: readonly string[];
}

/** A test key that may only read: refused with 401 at everything that changes something. */
export const SANDBOX_READ_KEY = 'sandbox_test_key_that_may_only_read';
/** A test key that has been disabled: 401 at every call (spec 5.2). */
export const SANDBOX_DISABLED_KEY = 'sandbox_test_key_that_is_disabled';

const READ_PERMISSIONS = [
  'ai_assistant',
  'ai_memo',
  'ai_prompt',
  'fulfillment_account',
  'site_fulfillment_center',
  'function',
  'site_gateway',
  'user_gateway',
  'gateway_group',
  'invoice',
  'key_value',
  'metadata',
  'offline_payment',
  'payment_profile',
  'wallet_account',
].map((resource) => `${resource}:retrieve`);

export const ACCOUNTS: readonly Account[] = [
  { id: 'SandboxTestAccount01', name: 'Sandbox test', key: SANDBOX_TEST_KEY, live: false, enabled: true },
  { id: 'SandboxLiveAccount01', name: 'Sandbox live', key: SANDBOX_LIVE_KEY, live: true, enabled: true },
  {
    id: 'SandboxReadAccount01',
    name: 'Sandbox test, reading only',
    key: SANDBOX_READ_KEY,
    live: false,
    enabled: true,
    permissions: READ_PERMISSIONS,
  },
  {
    id: 'SandboxOffAccount001',
    name: 'Sandbox test, disabled',
    key: SANDBOX_DISABLED_KEY,
    live: false,
    enabled: false,
  },
];
