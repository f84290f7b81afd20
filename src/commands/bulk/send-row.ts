import type { EngineOptions } from '../../bulk/engine.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import type { Context } from '../../command/context.js';
import type { Pacer } from '../../http/pacer.js';
import { waitTold } from '../../http/policy.js';
import type { Transport } from '../../http/types.js';
import { write } from '../../http/write.js';
import { askedIds, planRequest } from '../../request/plan.js';
import { toService } from '../../request/wallet.js';
import { hidingOfMany } from '../operation/hide-secrets.js';
import { patience, type Reader } from '../operation/reading.js';
import { observeDone } from '../operation/write.js';

/** How the rows of a run reach the service. */
export interface RowWay extends FamilyOperation {
  readonly context: Context;
  readonly reader: Reader;
  readonly transport: Transport;
  /** Values beside those of the body's secret fields that must be in nothing that comes back. */
  readonly secrets?: Iterable<string>;
}

/** @param contradicted told when an answer shows that the key is of another mode: no further row may leave */
export function rowSender(
  { context, reader, transport, family, operation, secrets }: RowWay,
  contradicted: (error: unknown) => void,
): EngineOptions['send'] {
  const { notes, options } = context;
  const { profile } = reader;
  const word = profile.walletWord.value;
  const rules = patience(context);
  const hidingFor = hidingOfMany(profile, operation);
  return async (row, key, signal, doubt) => {
    const hiding = hidingFor(row.body, secrets);
    const request = planRequest(family, operation, { ids: row.ids, body: row.body, idempotencyKey: key ?? null });
    const outcome = await write(transport, toService(request, word), {
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
      // At the end: to add to what was spread takes V8 a hundred times as long.
      ...rules,
    });
    if (outcome.claim === 'done') await observeDone(reader, outcome).catch(contradicted);
    return hiding.outcome(outcome);
  };
}

/** The turn of the first attempt was waited for before its intent was written. */
function afterTurn(pacer: Pacer): Pacer {
  let had = false;
  return {
    ...pacer,
    acquire: (signal) => {
      if (had) return pacer.acquire(signal);
      had = true;
      return Promise.resolve();
    },
  };
}
