import type { IncomingMessage } from 'node:http';

/** The largest body accepted; a key value may be 5 MB. */
const LARGEST_BODY = 8 * 1024 * 1024;
/**
 * Names of the loopback address. Any other name was resolved by somebody else's name server, for a page in a browser.
 */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a request names an address that this service is meant to answer. */
export function isMeant(request: IncomingMessage, hosts: readonly string[] = []): boolean {
  const name = (request.headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
  return LOOPBACK.includes(name) || hosts.some((one) => one.toLowerCase() === name);
}

/** The whole body, or undefined if it is too large, in which case the rest is discarded. */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  // The server discards an empty body by itself: waiting for its end costs as much as many an answer.
  if (length === '0' && coding === undefined) return Promise.resolve('');
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= LARGEST_BODY) pieces.push(piece);
      else {
        pieces.length = 0;
        resolve(undefined);
      }
    });
    request.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('The client went away.')));
  });
}
