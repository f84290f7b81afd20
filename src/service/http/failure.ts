import { type LossStage, TransportError } from '../../base/transport.js';

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

/** The error of a connection in words that an operator can act on; its `stage` is known to the caller only. */
export function toTransportError(error: unknown, stage: LossStage, host: string, proxy?: string): TransportError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  return new TransportError(stage, code, say(code, host, proxy, error), { cause: error });
}

/** True for the reasons of a TLS failure that no other attempt changes. */
export function isCertificate(reason: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(reason);
}

/** What the codes of a connection mean for the host. */
const MEANINGS: readonly (readonly [codes: RegExp, says: (by: string) => string])[] = [
  [/^ECONNREFUSED$/, (by) => `The connection to ${by} was refused`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, (by) => `The name of ${by} could not be resolved`],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, (by) => `No connection to ${by} came about in time`],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, (by) => `The network has no way to ${by}`],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, (by) => `The connection to ${by} broke off before a whole answer came`],
  [
    new RegExp(`^${EARLY_ANSWER}$`),
    (by) => `${by} answered before a request was sent: something between here and the service answers in its place`,
  ],
  [/^EPROTO$/, (by) => `The connection to ${by} could not be secured: the other side does not speak TLS as expected`],
];

function say(code: string, host: string, proxy: string | undefined, error: unknown): string {
  const by = proxy ? `${host} (through the proxy ${proxy})` : host;
  const meaning = MEANINGS.find(([codes]) => codes.test(code))?.[1];
  if (meaning) return meaning(by);
  if (code === 'PROXY_REFUSED') return `The proxy ${proxy} did not open a way to ${host}: ${text(error)}`;
  if (isCertificate(code)) return `The certificate of ${by} was not accepted: ${text(error)}`;
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES')) return `The answer of ${by} was not whole HTTP`;
  return `The connection to ${by} failed: ${text(error)}`;
}

function text(error: unknown): string {
  const message = (error as Coded | undefined)?.message;
  return typeof message === 'string' && message !== '' ? message : codeOf(error);
}
