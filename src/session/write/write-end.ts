import type { History } from '../../account/history/history.js';
import type { Finish, HistoryOutcome, Pending } from '../../account/history/types.js';
import { cops, type Text } from '../../base/text/command-line.js';
import type { LastWords } from '../../base/world.js';
import { sanitise } from '../../items/text/inert.js';
import type { WriteOutcome } from '../../service/http/retry.js';
import type { Context } from '../context/context.js';

/** The end of a write in the history: of one that was done only once its answer is out. */
export class RecordedEnd {
  #waits = false;

  constructor(
    private readonly context: Context,
    private readonly history: History,
  ) {}

  async end(pending: Pending, outcome: WriteOutcome, settles: Text): Promise<void> {
    const record = () =>
      pending.finish(finishOf(outcome, settles)).catch((error: Error) => {
        // What became of the write is what counts; unrecorded it passes for unknown, which guards more.
        this.context.notes.warn(`The outcome could not be recorded: ${error.message}`);
      });
    if (outcome.claim !== 'done') return record();
    this.#waits = true;
    await this.context.whenTold(() => record().then(() => this.#close()));
  }

  async close(): Promise<void> {
    if (!this.#waits) await this.#close();
  }

  #close(): Promise<void> {
    return this.history.close().catch(() => undefined);
  }
}

/** What is to be said of a write whose command is made to end before it can say it itself: before it ended, and after. */
export function lastWords(command: string, entry: string, outcome?: WriteOutcome): LastWords {
  const lead = `cops: ${command}:`;
  const see = `See it with: ${cops`history show ${entry}`}`;
  if (!outcome) return { text: `${lead} ended before its answer came: outcome unknown. ${see}`, exitCode: 9 };
  if (outcome.claim !== 'done')
    return { text: sanitise(`${lead} ${outcome.error.message}`), exitCode: outcome.error.exitCode };
  const call = outcome.envelope.api_call_id;
  return { text: sanitise(`${lead} done${call ? ` (api_call_id ${call})` : ''}`), exitCode: 0 };
}

/** What a write's end is called in history and journals. */
function outcomeName(outcome: WriteOutcome): HistoryOutcome {
  if (outcome.claim === 'done') return 'done';
  if (outcome.claim === 'unknown') return 'unknown';
  if (outcome.claim === 'not_sent') return 'not_sent';
  const { kind } = outcome.error;
  return kind === 'payment_failed' || kind === 'fraud_detected' || kind === 'rate_limited' ? kind : 'refused';
}

function finishOf(outcome: WriteOutcome, settles: Text): Finish {
  const name = outcomeName(outcome);
  if (outcome.claim === 'done') {
    const { envelope, reply } = outcome;
    return { outcome: name, httpStatus: reply.status, code: 1, apiCallId: envelope.api_call_id ?? null };
  }
  const { facts } = outcome.error;
  return {
    outcome: name,
    httpStatus: facts.httpStatus,
    code: facts.code,
    errorCode: facts.errorCode,
    apiCallId: facts.apiCallId,
    settles: name === 'unknown' ? String(settles) : undefined,
  };
}
