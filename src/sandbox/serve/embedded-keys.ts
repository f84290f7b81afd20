/**
 * The two keys of the embedded service (command-line.md#keys-and-modes). They open nothing else, so they are not
 * secret.
 */
export const SANDBOX_TEST_KEY = 'sandbox-key-no-secret-0000000001-test';
export const SANDBOX_LIVE_KEY = 'sandbox-key-no-secret-0000000002-live';

/** Shown as the address of the embedded service; the name cannot exist on any network. */
export const SANDBOX_BASE_URL = 'https://sandbox.invalid';
