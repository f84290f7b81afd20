/** What commands need of the sandbox; the embedded transport is in `embedded.ts`, the keys in `keys.ts`. */
export { ACCOUNTS } from './accounts.js';
export { parseAnswers, readAnswers, writeAnswers } from './automation/answers.js';
export { TEST_CARDS } from './cards.js';
export { advanceTo, catchUp, countItems, readSeed } from './clock.js';
export { parseFaults } from './faults.js';
export { databaseFile, openStore, resetStore } from './open.js';
export { addMonths } from './schedule.js';
export { SIZES } from './seed/seed.js';
export { serveSandbox } from './serve.js';
export type { Stored } from './store.js';
