import type { World } from '../../base/world.js';
import { proxyFor } from './base-url.js';
import { exchange, FIXED, Lanes, openConnector } from './client.js';

/** Read no more than this of an answer: only its status counts. */
const MOST_BYTES = 64 * 1024;

/** A server that receives notifications. It never gets a key, and a redirect is an answer like any other. */
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

interface PostOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A connection to a receiver, made on the first post. */
export async function openReceiver(
  address: string,
  { env, version, connections }: Pick<World, 'env' | 'version'> & { readonly connections: number },
) {
  const url = new URL(address);
  const proxy = proxyFor(url, env);
  const sockets = new Set<import('node:net').Socket>();
  const connect = await openConnector(proxy, sockets);
  const { default: Client } = await import('undici/lib/dispatcher/client.js');
  const lanes = new Lanes(Array.from({ length: connections }, () => new Client(url.origin, { ...FIXED, connect })));
  return {
    /** Posts once. @throws TransportError where no complete answer came, saying whether the request may have left */
    post: (body: string, headers: Readonly<Record<string, string>>, options: PostOptions) =>
      exchange(lanes, {
        origin: url.origin,
        host: url.host,
        ...(proxy && { proxy: proxy.host }),
        method: 'POST',
        path: url.pathname + url.search,
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': `cops/${version}` },
        body,
        mostBytes: MOST_BYTES,
        ...options,
      }),
    async close() {
      await lanes.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}
