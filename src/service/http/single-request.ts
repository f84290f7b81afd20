import { request as ask, type IncomingMessage } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Connector } from './tunnel.js';

/**
 * Sends single requests without a body over Node's own HTTP, each on its own connection. Loading undici's client takes
 * longer than such a request. What is sent, and what a failure is called, is the same with both.
 */
export function singleRequest(base: URL, connect: Connector): Pick<Dispatcher, 'dispatch'> {
  const target = {
    host: base.host,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    protocol: base.protocol,
    port: base.port,
  };
  return {
    dispatch(options, handler) {
      let given: Error | undefined;
      let stop = (): void => undefined;
      let isOver = false;
      const abort = (reason: Error): void => {
        given ??= reason;
        stop();
      };
      const controller = { abort } as Dispatcher.DispatchController;
      const fail = (error: Error): void => {
        if (isOver) return;
        isOver = true;
        handler.onResponseError?.(controller, given ?? named(error));
      };
      connect(target, (error, socket) => {
        if (error || !socket) return fail(error ?? new Error('no connection'));
        handler.onRequestStart?.(controller, undefined);
        if (given) {
          socket.destroy();
          return fail(given);
        }
        const headers = { host: base.host, connection: 'keep-alive', ...(options.headers as Record<string, string>) };
        const sent = ask({
          method: options.method,
          path: options.path,
          headers: Object.entries(headers).flat(),
          createConnection: () => socket,
        });
        stop = () => sent.destroy(given);
        sent.on('error', fail);
        sent.once('response', (response) => {
          response.on('error', fail);
          handler.onResponseStart?.(controller, response.statusCode ?? 0, headersOf(response), response.statusMessage);
          response.on('data', (chunk: Buffer) => given ?? handler.onResponseData?.(controller, chunk));
          response.once('end', () => {
            if (isOver || given) return;
            isOver = true;
            handler.onResponseEnd?.(controller, {});
          });
        });
        sent.end();
      });
      return true;
    },
  };
}

/** All headers received: Node would drop some repeated ones. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[at + 1] ?? '']);
  }
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

/** The error with the code that undici uses: an orderly close is not a reset. */
function named(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ECONNRESET' || error.syscall !== undefined) return error;
  return Object.assign(new Error('other side closed', { cause: error }), { code: 'UND_ERR_SOCKET' });
}
