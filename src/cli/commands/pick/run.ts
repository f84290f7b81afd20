import { findOperation, loadFamily } from '../../../catalogue/index.js';
import type { Operation } from '../../../catalogue/types.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { settledDates } from '../../../session/context/settled-dates.js';
import { operationInput } from '../../../session/operation/spec.js';
import { pickRow } from '../../../session/read/pick-row.js';
import { runOperation } from '../../operation/run-operation.js';

/** `cops pick <family>`: prints the id of the row that a person chooses from its list. */
export async function run(context: Context, { family: name, words, options }: CommandInput): Promise<Done> {
  const family = await loadFamily(name);
  const list = findOperation(family, 'list') as Operation;
  const input = operationInput(family, await settledDates(context, list), { words, options });
  if (context.options.dryRun) return runOperation(context, input, list.risk);
  const id = await pickRow(context, input, (asked) => runOperation(context, asked, list.risk));
  return { result: { shape: 'text', text: `${id}\n` } };
}
