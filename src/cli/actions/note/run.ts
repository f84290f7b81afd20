import { findOperation, loadFamily } from '../../../catalogue/index.js';
import type { Operation } from '../../../catalogue/types.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { runOperation } from '../../operation/run-operation.js';

/** `cops customers note <who> "text"`: `notes create` for a customer found by id, name or address. */
export async function run(context: Context, { words: [who = '', text = ''], options }: CommandInput): Promise<Done> {
  const family = await loadFamily('notes');
  const operation = findOperation(family, 'create') as Operation;
  // As JSON, so that a note that begins with @ is not read as a file name.
  const body = JSON.stringify({ item_type: 'customer', item_id: who, text });
  const input = { family, operation, words: [], options: { ...options, body }, filters: {}, typed: {} };
  return runOperation(context, input, operation.risk);
}
