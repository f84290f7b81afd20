import type { GatedHistory } from '../account/history/types.js';
import type { Transport } from '../base/transport.js';
import type { Pacer } from '../service/http/pacer.js';
import { waitTold } from '../service/http/retry.js';
import { write } from '../service/http/send-write.js';
import { askedIds, planRequest, takesIdempotencyKey } from '../service/request/request-plan.js';
import { toService } from '../service/request/wallet.js';
import type { Context } from '../session/context/context.js';
import { patience, type Reader } from '../session/read/reading.js';
import { limitedHistory } from '../session/write/limited-history.js';
import { type LimitedWrites, originOf } from '../session/write/prepared-write.js';
import { observeDone } from '../session/write/write.js';
import { hidingOfMany } from '../session/write/write-end.js';
import { type EngineOptions, type RunSummary, runRows } from './engine.js';
import type { Stops } from './stops.js';

/** The rows of an open journal on their way to the service, each with its trail in the history. */
export interface ServiceRun
  extends Pick<
    EngineOptions,
    | 'journal'
    | 'rows'
    | 'what'
    | 'concurrency'
    | 'maxFailures'
    | 'stopOnFraud'
    | 'clock'
    | 'compared'
    | 'check'
    | 'onEnd'
  > {
  readonly context: Context;
  readonly reader: Reader;
  readonly writes: LimitedWrites;
  readonly stops: Stops;
  /** Also rows that are open or were done elsewhere. */
  readonly again: boolean;
  /** Further secret values, besides those of the body, that must not appear in any output. */
  readonly secrets?: Iterable<string>;
}

/** @returns how the rows ended, and the error of an answer that shows a key of another mode */
export async function sendRows(run: ServiceRun): Promise<{ summary: RunSummary; contradicted: unknown }> {
  const { context, reader, writes, stops, journal, again } = run;
  const { world } = context;
  const { header } = journal.state;
  const { soft, hard } = stops;
  const transport = await context.transport();
  const ahead = (await context.now()) - world.now();
  const history = await limitedHistory(context, writes, reader);
  const keyless = header.keyless || !takesIdempotencyKey(writes.operation);
  let contradicted: unknown;
  // Only a history that can still store them at once needs them.
  const unsent = history.abandon && new Map<string, string>();
  stops.atOnce = () => {
    if (unsent) history.abandon?.(unsent);
    unsent?.clear();
  };
  try {
    const summary = await runRows({
      ...run,
      unsent,
      credential: reader.profile.fingerprint,
      stop: { soft: soft.signal, hard: hard.signal },
      now: () => journal.now?.() ?? world.now() + ahead,
      sleep: (ms, signal) => world.sleep(ms, signal),
      mint: () => (keyless ? undefined : world.uuid()),
      turn: (signal) => reader.pacer.acquire(signal),
      send: rowSender(run, history, transport, (error) => {
        contradicted ??= error;
        // No further row may leave.
        soft.abort();
      }),
      // Each row is compared again when it begins: an equal run may have begun at the same moment.
      history: history.trail(originOf(reader.profile, writes.family, writes.operation), {
        journal: header.id,
        since: header.created,
        again,
      }),
    });
    return { summary, contradicted };
  } finally {
    if (hard.signal.aborted) stops.atOnce();
    await history.close();
  }
}

function rowSender(
  { context, reader, writes: { family, operation }, secrets }: ServiceRun,
  history: Pick<GatedHistory, 'mayLeave'>,
  transport: Transport,
  contradicted: (error: unknown) => void,
): EngineOptions['send'] {
  const { notes, options } = context;
  const { profile } = reader;
  const word = profile.walletWord.value;
  const rules = patience(context);
  const hidingFor = hidingOfMany(profile, operation);
  const askedOf = askedIds(operation, word);
  return async (row, key, signal, doubt) => {
    const hiding = hidingFor(row.body, secrets);
    const request = planRequest(family, operation, { ids: row.ids, body: row.body, idempotencyKey: key ?? null });
    const outcome = await write(transport, toService(request, word), {
      pacer: afterTurn(reader.pacer),
      signal,
      graceMs: options.timeout * 1000,
      hasKey: key !== undefined,
      asked: askedOf(row.ids),
      keyDoubt: doubt,
      mayLeave: () => history.mayLeave?.(),
      onRetry: (info) => {
        const told = waitTold(info);
        if (told) notes.note(`${row.ids.join(' ')}: ${told}`);
        notes.detail(`${row.ids.join(' ')}: trying again with the same key: ${hiding.text(info.reason)}.`);
      },
      // At the end, because adding to a spread object takes V8 a hundred times as long.
      ...rules,
    });
    if (outcome.claim === 'done') await observeDone(reader, outcome).catch(contradicted);
    return hiding.outcome(outcome);
  };
}

/** The turn of the first attempt was awaited before its intent was written. */
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
  };
}
