import type { PlannedRow } from '../../bulk/types.js';
import type { Family, Operation } from '../../catalogue/types.js';
import type { Context } from '../../command/context.js';
import type { Pacer } from '../../http/pacer.js';
import { waitTold } from '../../http/policy.js';
import type { Transport } from '../../http/types.js';
import { type WriteOutcome, write } from '../../http/write.js';
import { askedIds, planRequest } from '../../request/plan.js';
import { toService } from '../../request/wallet.js';
import { hidingOf } from '../operation/hide-secrets.js';
import { patience, type Reader } from '../operation/reading.js';
import { answerText, observeDone } from '../operation/write.js';

/** How the rows of a run reach the service. */
export interface RowWay {
  readonly context: Context;
  readonly reader: Reader;
  readonly transport: Transport;
  readonly family: Family;
  readonly operation: Operation;
  /** Values beside those of the body's secret fields that must be in nothing that comes back. */
  readonly secrets?: Iterable<string>;
}

/** The key of a row; `doubt` is asked before each attempt of one that was sent before. */
export interface RowKey {
  readonly key: string | undefined;
  readonly doubt?: (() => boolean) | undefined;
}

/**
 * Sends one row whose turn was waited for; its secrets are in nothing that comes back.
 * @param contradicted told when the answer shows that the key is of another mode: no further row may leave
 */
export async function sendRow(
  { context, reader, transport, family, operation, secrets }: RowWay,
  row: Pick<PlannedRow, 'ids' | 'body'>,
  { key, doubt }: RowKey,
  signal: AbortSignal,
  contradicted: (error: unknown) => void,
): Promise<WriteOutcome> {
  const { notes, options } = context;
  const { profile } = reader;
  const word = profile.walletWord.value;
  const hiding = hidingOf(profile, operation, row.body, secrets);
  const request = planRequest(family, operation, { ids: row.ids, body: row.body, idempotencyKey: key ?? null });
  const outcome = await write(transport, toService(request, word), {
    ...patience(context),
    pacer: afterTurn(reader.pacer),
    signal,
    graceMs: options.timeout * 1000,
    hasKey: key !== undefined,
    asked: askedIds(operation, row.ids, word),
    keyDoubt: doubt,
    onRetry: (info) => {
      const told = waitTold(info);
      if (told) notes.note(`${row.ids.join(' ')}: ${told}`);
      notes.detail(`${row.ids.join(' ')}: trying again with the same key: ${hiding.text(info.reason)}.`);
    },
  });
  if (outcome.claim === 'done') await observeDone(reader, answerText(outcome, word)).catch(contradicted);
  return hiding.outcome(outcome);
}

/** The turn of the first attempt was waited for before its intent was written. */
function afterTurn(pacer: Pacer): Pacer {
  let had = false;
  return {
    acquire: (signal) => {
      if (had) return pacer.acquire(signal);
      had = true;
      return Promise.resolve();
    },
    throttled: (after) => pacer.throttled(after),
    answered: () => pacer.answered(),
    stats: () => pacer.stats(),
  };
}
