import type { Operation } from '../../catalogue/types.js';
import { readFacts, settleDates } from '../../service/openapi/description-files.js';
import type { Context } from './context.js';

/** A list with its dates as settled by the description that the profile pulled (command-line.md#lists). */
export async function settledDates(context: Context, operation: Operation): Promise<Operation> {
  const { name, baseUrl } = await context.profile();
  const facts = readFacts(context.configDir, name.value, baseUrl.value);
  return facts ? settleDates(operation, facts) : operation;
}
