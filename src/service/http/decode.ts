import { type Reply, TransportError } from '../../base/transport.js';

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
