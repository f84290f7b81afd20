import { type LossStage, type Reply, TransportError } from '../../base/transport.js';

/** The reason for a connection that delivered bytes before the request. */
export const EARLY_ANSWER = 'EARLY_ANSWER';

/** The reason for an answer that is not HTTP, whichever parser found it. */
const BAD_HTTP = 'BAD_HTTP';

interface Coded {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly errors?: readonly Coded[];
}

function codeOf(error: unknown): string {
  const coded = error as Coded | undefined;
  const code = coded?.code ?? coded?.errors?.find((inner) => inner.code)?.code;
  const text = typeof code === 'string' && code !== '' ? code : 'UNKNOWN';
  return coded?.name === 'HTTPParserError' || text.startsWith('HPE_') ? BAD_HTTP : text;
}

/** A connection error in words that an operator can act on. Only the caller knows its `stage`. */
export function toTransportError(error: unknown, stage: LossStage, host: string, proxy?: string): TransportError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  // No request gets through a handshake that the other side ends: nobody reads the bytes written into it.
  return new TransportError(isTlsAlert(code) ? 'not_sent' : stage, code, say(code, host, proxy, error), {
    cause: error,
  });
}

/** True for a TLS failure that another attempt cannot change. */
export function isCertificate(reason: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(reason);
}

/**
 * True where the other side ended the handshake: it wants a certificate from this machine, or rejected the one it got.
 */
export function isTlsAlert(reason: string): boolean {
  return /^ERR_SSL_\w*ALERT_(?!CLOSE)/.test(reason);
}

/** What connection error codes mean for the host. */
const MEANINGS: readonly (readonly [codes: RegExp, says: (by: string) => string])[] = [
  [/^ECONNREFUSED$/, (by) => `The connection to ${by} was refused`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, (by) => `The name of ${by} could not be resolved`],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, (by) => `The connection to ${by} took too long`],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, (by) => `The network has no route to ${by}`],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, (by) => `The connection to ${by} broke off before the full answer arrived`],
  [
    new RegExp(`^${EARLY_ANSWER}$`),
    (by) => `${by} answered before a request was sent: something between here and the service answers in its place`,
  ],
  [/^EPROTO$/, (by) => `The connection to ${by} could not be secured: the other side does not speak TLS as expected`],
];

/** Failures before the service answers. */
const ON_THE_WAY = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;

function say(code: string, host: string, proxy: string | undefined, error: unknown): string {
  // Behind a proxy, this machine resolves and reaches only the proxy.
  const isOnTheWay = proxy !== undefined && ON_THE_WAY.test(code);
  const by = isOnTheWay ? `the proxy ${proxy}` : proxy ? `${host} (through the proxy ${proxy})` : host;
  const meaning = MEANINGS.find(([codes]) => codes.test(code))?.[1];
  if (meaning) return meaning(by);
  if (code === 'PROXY_REFUSED') return `The proxy ${proxy} did not connect to ${host}: ${text(error)}`;
  if (isTlsAlert(code))
    return `${by} ended the handshake: ${text(error).replace(/^.*?:SSL routines:[^:]*:|:.*$/gs, '')}`;
  if (isCertificate(code)) return `The certificate of ${by} was not accepted: ${text(error)}`;
  if (code === BAD_HTTP || code.startsWith('UND_ERR_RES'))
    return `The answer of ${by} was not a complete HTTP response`;
  return `The connection to ${by} failed: ${text(error)}`;
}

function text(error: unknown): string {
  const message = (error as Coded | undefined)?.message;
  return typeof message === 'string' && message !== '' ? message : codeOf(error);
}

/** Longest answer to read, in bytes. A page holds 25 items, so anything longer is not a page. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The reply decompressed: a proxy may compress it unasked. Throws a `lost` transport error if that fails. */
export async function decode(reply: Reply): Promise<Reply> {
  const encoding = reply.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === '' || encoding === 'identity' || reply.body.length === 0) return reply;
  const { promisify } = await import('node:util');
  const zlib = await import('node:zlib');
  const unpack = { gzip: zlib.gunzip, 'x-gzip': zlib.gunzip, deflate: zlib.inflate, br: zlib.brotliDecompress }[
    encoding
  ];
  try {
    if (!unpack) throw new Error(`unknown encoding ${encoding}`);
    const body = await promisify<Buffer, object, Buffer>(unpack)(reply.body, { maxOutputLength: MAX_ANSWER_BYTES });
    return { ...reply, body };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new TransportError('lost', 'TOO_LARGE', 'The answer is compressed and too large to read', {
        cause,
      });
    throw new TransportError('lost', 'BAD_ENCODING', 'The answer is compressed and could not be decompressed', {
      cause,
    });
  }
}
