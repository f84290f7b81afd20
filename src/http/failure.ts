import { type LossStage, TransportError } from './types.js';

/** The reason of a connection on which bytes came before the request. */
export const EARLY_ANSWER = 'EARLY_ANSWER';

interface Coded {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly errors?: readonly Coded[];
}

function codeOf(error: unknown): string {
  const coded = error as Coded | undefined;
  const code = coded?.code ?? coded?.errors?.find((inner) => inner.code)?.code;
  return typeof code === 'string' && code !== '' ? code : 'UNKNOWN';
}

/**
 * The transport error for what the connection threw. `stage` is decided by the caller, who knows whether the
 * request had begun to be written; the text says what an operator can act on.
 */
export function toTransportError(error: unknown, stage: LossStage, host: string, proxy?: string): TransportError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  return new TransportError(stage, code, say(code, host, proxy, error), { cause: error });
}

function say(code: string, host: string, proxy: string | undefined, error: unknown): string {
  const by = proxy ? `${host} (through the proxy ${proxy})` : host;
  switch (code) {
    case 'ECONNREFUSED':
      return `The connection to ${by} was refused`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name of ${by} could not be resolved`;
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `No connection to ${by} came about in time`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENETDOWN':
      return `The network has no way to ${by}`;
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return `The connection to ${by} broke off before a whole answer came`;
    case EARLY_ANSWER:
      return `${by} answered before a request was sent: something between here and the service answers in its place`;
    case 'EPROTO':
      return `The connection to ${by} could not be secured: the other side does not speak TLS as expected`;
    case 'PROXY_REFUSED':
      return `The proxy ${proxy} did not open a way to ${host}: ${text(error)}`;
    default:
      if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code)) {
        return `The certificate of ${by} was not accepted: ${text(error)}`;
      }
      if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES')) return `The answer of ${by} was not whole HTTP`;
      return `The connection to ${by} failed: ${text(error)}`;
  }
}

function text(error: unknown): string {
  const message = (error as Coded | undefined)?.message;
  return typeof message === 'string' && message !== '' ? message : codeOf(error);
}
