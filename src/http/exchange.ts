import type { Dispatcher } from 'undici';
import { MAX_ANSWER_BYTES } from './decode.js';
import { EARLY_ANSWER, toTransportError } from './failure.js';
import { type Reply, TransportError } from './types.js';

export interface Exchange {
  readonly origin: string;
  /** For messages. */
  readonly host: string;
  readonly proxy?: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * One request and its whole answer. Rejects with `TransportError` only. `not_sent` rests on one fact: undici calls
 * `onRequestStart` right before it writes the first byte, so a request for which it was never called, and is then
 * refused there, has not left this machine.
 */
export function exchange(dispatcher: Pick<Dispatcher, 'dispatch'>, what: Exchange): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { host, signal } = what;
    let controller: Dispatcher.DispatchController | undefined;
    let started = false;
    let settled = false;
    let timer: NodeJS.Timeout | undefined;
    let status = 0;
    let headers: Record<string, string> = {};
    let size = 0;
    const chunks: Buffer[] = [];

    const stage = () => (started ? 'lost' : 'not_sent');
    const settle = (act: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const giveUp = (error: TransportError) =>
      settle(() => {
        reject(error);
        controller?.abort(error);
      });
    const onAbort = () =>
      giveUp(new TransportError(stage(), 'ABORTED', 'The request was interrupted', { cause: signal?.reason }));

    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    timer = setTimeout(
      () => giveUp(new TransportError(stage(), 'TIMEOUT', `No whole answer from ${host} within ${what.timeoutMs} ms`)),
      Math.min(what.timeoutMs, LONGEST_TIMER_MS),
    );

    const tooLarge = () =>
      giveUp(new TransportError('lost', 'TOO_LARGE', `The answer of ${host} is too large to be read`));
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
        if (settled || started) {
          given.abort(new Error('given up before it was sent, or sent before'));
          if (started) giveUp(new TransportError('lost', 'RESENT', 'The connection wanted to send the request again'));
          return;
        }
        started = true;
      },
      onResponseStart(_controller, statusCode, raw) {
        if (statusCode < 200) return;
        // The connection's earlier request was answered twice: this one has not been written yet.
        if (!started) return giveUp(toTransportError({ code: EARLY_ANSWER }, 'not_sent', host, what.proxy));
        status = statusCode;
        headers = flat(raw);
        if (Number(headers['content-length']) > MAX_ANSWER_BYTES) tooLarge();
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) return tooLarge();
        chunks.push(chunk);
      },
      onResponseEnd() {
        settle(() => resolve({ status, headers, body: joined(chunks, size) }));
      },
      onResponseError(_controller, error) {
        settle(() => reject(toTransportError(error, stage(), host, what.proxy)));
      },
    };
    const { origin, method, path, body } = what;
    try {
      dispatcher.dispatch(
        { origin, method, path, headers: what.headers, body: body ?? null, idempotent: false },
        handler,
      );
    } catch (error) {
      settle(() => reject(toTransportError(error, stage(), host, what.proxy)));
    }
  });
}

function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}

function flat(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
