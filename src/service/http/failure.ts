import { type LossStage, type Reply, TransportError } from '../../base/transport.js';

/** The reason of a connection on which bytes came before the request. */
export const EARLY_ANSWER = 'EARLY_ANSWER';

/** The reason of an answer that is not HTTP, whoever parsed it. */
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

/** The error of a connection in words that an operator can act on; its `stage` is known to the caller only. */
export function toTransportError(error: unknown, stage: LossStage, host: string, proxy?: string): TransportError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  // A handshake that the other side ends leaves no way for a request: what was written into it was read by nobody.
  return new TransportError(isTlsAlert(code) ? 'not_sent' : stage, code, say(code, host, proxy, error), {
    cause: error,
  });
}

/** True for the reasons of a TLS failure that no other attempt changes. */
export function isCertificate(reason: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(reason);
}

/** True where the other side ended the handshake: it wants a certificate of this machine, or does not accept the one it got. */
export function isTlsAlert(reason: string): boolean {
  return /^ERR_SSL_\w*ALERT_(?!CLOSE)/.test(reason);
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
  if (isTlsAlert(code))
    return `${by} ended the handshake: ${text(error).replace(/^.*?:SSL routines:[^:]*:|:.*$/gs, '')}`;
  if (isCertificate(code)) return `The certificate of ${by} was not accepted: ${text(error)}`;
  if (code === BAD_HTTP || code.startsWith('UND_ERR_RES')) return `The answer of ${by} was not whole HTTP`;
  return `The connection to ${by} failed: ${text(error)}`;
}

function text(error: unknown): string {
  const message = (error as Coded | undefined)?.message;
  return typeof message === 'string' && message !== '' ? message : codeOf(error);
}

/** Longest answer that is read, bytes: a page holds 25 items, so that more is no page. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The reply unpacked: a proxy may pack it, though nobody asks. Throws a `lost` transport error where that fails. */
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
      throw new TransportError('lost', 'TOO_LARGE', 'The answer came compressed and is too large to be read', {
        cause,
      });
    throw new TransportError('lost', 'BAD_ENCODING', 'The answer came compressed and could not be unpacked', { cause });
  }
}
