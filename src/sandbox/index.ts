/** What commands need of the sandbox; the embedded transport is in `embedded.ts`, the keys in `keys.ts`. */
export { ACCOUNTS, addAccount, listAccounts, readPermissions, switchAccount } from './accounts.js';
export { parseAnswers, readAnswers, writeAnswers } from './automation/answers.js';
export { TEST_CARDS } from './cards.js';
export { advanceTo, afterSpan, catchUp, countItems, readSeed } from './clock.js';
export { shownAccount } from './control.js';
export { FAULT_KINDS, parseFaults, seededRandom } from './faults.js';
export { databaseFile, openStore, resetStore } from './open.js';
export { SIZES } from './seed/seed.js';
export { serveSandbox } from './serve.js';
export type { Stored } from './store.js';
