/** The two keys of the embedded service (command-line.md#keys-and-modes). They open nothing else, so they are no secret. */
export const SANDBOX_TEST_KEY = 'sandbox-key-no-secret-0000000001-test';
export const SANDBOX_LIVE_KEY = 'sandbox-key-no-secret-0000000002-live';

/** What stands for the address of the embedded service where one is shown; the name can never be found on a network. */
export const SANDBOX_BASE_URL = 'https://sandbox.invalid';
