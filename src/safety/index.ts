export { type Asker, type ConfirmInput, confirm } from './confirm.js';
export { type DecideInput, type Decision, decide, effectiveRisk, guardedAsLive, type KnownRisk } from './decide.js';
export type { Entry, HistoryOutcome } from './entries.js';
export {
  type Finish,
  type History,
  type Intent,
  type Likeness,
  likeTag,
  openHistory,
  type Pending,
  repeatRefused,
} from './history.js';
export { openProofs, type Proofs } from './proofs.js';
export { type QuestionInput, questionLines, refundAmounts } from './question.js';
export { type Values, valuesOf } from './values.js';
