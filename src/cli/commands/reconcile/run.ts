import { answerReconcile } from '../../../data/reconcile/answer-reconcile.js';
import type { ReconcileOptions } from '../../../data/reconcile/payout-roles.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';

/** `cops reconcile <file>`. */
export async function run(context: Context, { words: [file], options }: CommandInput<ReconcileOptions>): Promise<Done> {
  return answerReconcile(context, file, options);
}
