/** The parts of the sandbox that commands need; the embedded transport is in `embedded.ts`, the keys in `keys.ts`. */

export { parseAnswers, readAnswers, writeAnswers } from '../automation/assistant-answers.js';
export { advanceTo, afterSpan, catchUp, countItems, readSeed } from '../automation/clock.js';
export { EventLog, type LoggedEvent } from '../automation/event-log.js';
export { ACCOUNTS, addAccount, listAccounts, readPermissions, switchAccount } from '../rules/accounts.js';
export { SIZES } from '../seed/seed.js';
export type { Stored } from '../store/item-store.js';
export { databaseFile, openSandboxStore, resetStore } from '../store/open-store.js';
export {
  copySnapshot,
  existingSnapshot,
  listSnapshots,
  removeSnapshot,
  restoreSnapshot,
  type SavedSandbox,
  saveSnapshot,
  snapshotFile,
} from '../store/snapshots.js';
export { shownAccount } from './control.js';
export { FAULT_KINDS, faultReach, parseFaults, seededRandom } from './injected-faults.js';
export { serveSandbox } from './serve.js';
