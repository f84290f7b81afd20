import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Opens a connection and hands over its socket. */
export type Connector = ReturnType<typeof buildConnector>;

/**
 * A connector that reaches its target through a proxy with CONNECT. When the proxy hangs up, undici's own proxy agent
 * retries forever without a pause; here every failure of the proxy is one failed connection.
 */
export function throughProxy(
  proxy: URL,
  direct: Connector,
  timeoutMs: number,
  track: (socket: Socket) => void,
): Connector {
  return (target, callback) => {
    void open(proxy, target, timeoutMs, track).then(
      (socket) => {
        if (target.protocol === 'https:') direct({ ...target, httpSocket: socket }, callback);
        else callback(null, socket as never);
      },
      (error: Error) => callback(error, null),
    );
  };
}

async function open(
  proxy: URL,
  target: { readonly hostname: string; readonly port: string; readonly protocol: string },
  timeoutMs: number,
  track: (socket: Socket) => void,
): Promise<Socket> {
  const { request } = proxy.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
  const path = `${host}:${target.port || (target.protocol === 'https:' ? 443 : 80)}`;
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization = user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const ask = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path,
      headers: { host: path, ...authorization },
      agent: false,
      timeout: timeoutMs,
    });
    const refused = (response: IncomingMessage) => {
      response.socket.destroy();
      reject(Object.assign(new Error(`it answered ${response.statusCode}`), { code: 'PROXY_REFUSED' }));
    };
    ask.once('socket', track);
    ask.once('connect', (response, socket: Socket, head: Buffer) => {
      if (response.statusCode !== 200) return refused(response);
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    ask.once('response', refused);
    ask.once('timeout', () => ask.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })));
    ask.once('error', reject);
    ask.end();
  });
}
