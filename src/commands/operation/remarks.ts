import { LIMITS } from '../../catalogue/terms.js';
import type { Operation } from '../../catalogue/types.js';
import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { CopsError } from '../../errors/errors.js';
import type { Item } from '../../json/item.js';
import type { TreeObject } from '../../json/tree.js';

/** Says what an edit replaces: a list that is sent takes the place of the whole stored one. */
export function noteReplaced(context: Context, operation: Operation, body: TreeObject): void {
  if (operation.action !== 'edit' && !operation.action.endsWith(' edit')) return;
  for (const [field, value] of Object.entries(body)) {
    if (!Array.isArray(value)) continue;
    const rule = operation.rules.find((text) => text.includes(`\`${field}\``) && text.includes('replace'));
    const all = operation.rules.find((text) => /array that is sent replaces/i.test(text));
    context.notes.note(
      rule ?? all ?? `${field}: a list that is sent may replace the whole stored one: send all of it.`,
    );
  }
}

/** Warns of an answer that the service cuts off in silence: the values of a metadata name (spec section 8). */
export function warnCut(context: Context, operation: Operation, item: Item): void {
  if (!operation.path.startsWith('/metadata/') || operation.action !== 'get') return;
  const { value } = item;
  if (typeof value !== 'object' || value === null) return;
  const most = LIMITS.metadataValuesReturned;
  if (Object.values(value).some((list) => Array.isArray(list) && list.length >= most)) {
    context.notes.warn(`The service returns at most ${most} values: there may be more than these.`);
  }
}

/**
 * Runs an operation; an error that says that the key may not do it names the permission that the operation needs,
 * where it is known (spec section 5).
 */
export async function withPermission(operation: Operation, run: () => Promise<Done>): Promise<Done> {
  const { permission } = operation;
  if (permission === undefined) return run();
  const tell = (error: unknown): unknown => named(error, permission);
  let done: Done;
  try {
    done = await run();
  } catch (error) {
    throw tell(error);
  }
  const { result } = done;
  if (result.shape !== 'list') return done;
  const items = failingWith(result.items, tell);
  const envelopes = result.envelopes ? { envelopes: failingWith(result.envelopes, tell) } : {};
  return { ...done, result: { ...result, items, ...envelopes } };
}

function named(error: unknown, permission: string): unknown {
  if (!(error instanceof CopsError) || error.kind !== 'not_authorised' || error.facts.httpStatus === undefined)
    return error;
  const need = `A restricted key needs the permission ${permission} for this.`;
  return new CopsError(error.kind, error.message, {
    ...error.facts,
    hint: error.facts.hint === undefined ? need : `${error.facts.hint} ${need}`,
    more: { ...error.facts.more, permission },
    cause: error.facts.cause ?? error.cause,
  });
}

async function* failingWith<T>(source: AsyncIterable<T>, tell: (error: unknown) => unknown): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    throw tell(error);
  }
}
