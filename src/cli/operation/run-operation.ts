import type { KnownRisk } from '../../account/safety/decide.js';
import { CopsError } from '../../base/errors/errors.js';
import { joinedTexts } from '../../base/text/command-line.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { asMeant } from '../../items/text/typed-value.js';
import { oneStdinReader } from '../../service/body/input-text.js';
import { buildQuery } from '../../service/request/request-plan.js';
import type { Context, Done } from '../../session/context/context.js';
import { narrowedBy, type OperationInput, splitWords } from '../../session/operation/spec.js';
import { readItems } from '../../session/read/read-items.js';

/** Runs any operation. If the key lacks the permission, the error names the one it needs (service.md#permissions). */
export async function runOperation(context: Context, input: OperationInput, risk: KnownRisk): Promise<Done> {
  const { permission } = input.operation;
  const tell = (error: unknown): unknown => named(error, permission);
  let done: Done;
  try {
    done = await run(context, input, risk);
  } catch (error) {
    throw tell(error);
  }
  const { result } = done;
  if (result.shape !== 'list' || permission === undefined) return done;
  const items = failingWith(result.items, tell);
  const envelopes = result.envelopes && failingWith(result.envelopes, tell);
  return { ...done, result: { ...result, items, envelopes } };
}

async function run(context: Context, input: OperationInput, risk: KnownRisk): Promise<Done> {
  const { operation } = input;
  if (input.options.pick === true && !context.options.dryRun)
    return (await import('./picked-row.js')).openPicked(context, input, (asked) => run(context, asked, risk));
  if (operation.method === 'POST') return (await import('./post.js')).runPost(context, input, risk);
  if (input.words.includes('-')) oneStdinReader({ ids: input.words });
  const { ids: words, rest } = await splitWords(context, input);
  const positional = positionalQuery(input, rest);
  if (operation.list && operation.list.style !== 'search')
    return (await import('./list-operation.js')).listOperation(context, input, words, positional);
  const narrowed = narrowedBy(input);
  const isPlain = Object.keys(input.filters).length + narrowed.length === 0;
  // Lines with only ids load nothing to look up names.
  if (!operation.list && isPlain && words.flat().every(looksLikeId))
    return readItems(context, input, words, buildQuery(operation, positional));
  const { Names } = await import('../../session/names/line-names.js');
  const names = new Names(context, input.family, operation, undefined, narrowed);
  const ids = await names.ids(words);
  const query = buildQuery(operation, { ...(await names.filters(input.filters)), ...positional });
  return readItems(context, input, ids, query);
}

function positionalQuery(input: OperationInput, rest: readonly string[]): Record<string, string> {
  const name = Object.entries(input.operation.query ?? {}).find(([, field]) => field.positional)?.[0];
  const [word] = rest;
  if (name === undefined || word === undefined) return {};
  return { [name]: input.operation.list?.style === 'search' ? asMeant(word) : word };
}

function named(error: unknown, permission: string | undefined): unknown {
  const isAnswer =
    error instanceof CopsError && error.kind === 'not_authorised' && error.facts.httpStatus !== undefined;
  if (!isAnswer || permission === undefined) return error;
  const need = `A restricted key needs the permission ${permission} for this.`;
  return new CopsError(error.kind, error.message, {
    ...error.facts,
    hint: joinedTexts([error.facts.hint, need], ' '),
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
