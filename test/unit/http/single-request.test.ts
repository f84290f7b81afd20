/** A single read goes by Node's own HTTP, all others by undici: nobody may see a difference. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { TransportError } from '../../../src/base/transport.js';
import { openTransport } from '../../../src/service/http/client.js';
import { deadPort, GET } from './helpers.js';

const BODY = '{"code":1}';
const HEAD = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n`;

type Answer = (socket: Socket) => void;

const ANSWERS: Readonly<Record<string, Answer>> = {
  'a whole answer': (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\n${BODY}`),
  'an answer in chunks': (socket) => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\na\r\n${BODY}\r\n0\r\n\r\n`),
  'an answer that ends with the connection': (socket) => socket.end(`${HEAD}connection: close\r\n\r\n${BODY}`),
  'an answer after a preliminary one': (socket) =>
    socket.write(`HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${HEAD}content-length: 10\r\n\r\n${BODY}`),
  'headers that come twice': (socket) =>
    socket.write(`${HEAD}retry-after: 5\r\nretry-after: 7\r\nX-A: 1\r\nx-a: 2\r\ncontent-length: 10\r\n\r\n${BODY}`),
  'an empty answer': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  'an error': (socket) => socket.write(`HTTP/1.1 503 Away\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n`),
  'an end before the answer': (socket) => socket.end(),
  'an end in the middle of the headers': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'),
  'an end in the middle of the body': (socket) => socket.end(`${HEAD}content-length: 100\r\n\r\n${BODY}`),
  'an end in the middle of a chunk': (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nff\r\n${BODY}`),
  'a reset': (socket) => socket.resetAndDestroy(),
  'no HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'a length that is none': (socket) => socket.end(`${HEAD}content-length: ten\r\n\r\n${BODY}`),
  'a body that is too large': (socket) => socket.write(`${HEAD}content-length: 99999999999\r\n\r\n`),
  'no answer in time': () => undefined,
};

interface Outcome {
  readonly sent: string;
  readonly came: unknown;
}

async function outcome(answer: Answer, isOnly: boolean): Promise<Outcome> {
  let sent = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      sent += bytes.toString('latin1');
      if (sent.endsWith('\r\n\r\n')) answer(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const transport = await openTransport({
    baseUrl: `http://127.0.0.1:${port}/v2`,
    key: 'test_key_0001',
    env: {},
    userAgent: 'cops/test',
  });
  const request = { ...GET, query: [['a', 'ü b']] as const, headers: { 'x-trace': 'mine' } };
  try {
    const came = await transport.send(request, { timeoutMs: 300, isOnly }).then(
      ({ status, headers, body }) => ({ status, headers, body: body.toString() }),
      ({ stage, reason, message }: TransportError) => ({
        stage,
        reason,
        message: message.replace(String(port), 'PORT'),
      }),
    );
    return { sent: sent.replace(String(port), 'PORT'), came };
  } finally {
    await transport.close();
    server.close();
  }
}

it.each(Object.entries(ANSWERS))('%s is the same by both ways', async (_name, answer) => {
  const single = await outcome(answer, true);
  expect(single).toEqual(await outcome(answer, false));
  expect(single.sent).toContain('GET /v2/customers/');
});

it('is not sent where nobody listens, and says so', async () => {
  const transport = await openTransport({
    baseUrl: `http://127.0.0.1:${await deadPort()}`,
    key: 'k',
    env: {},
    userAgent: 'cops/test',
  });
  const sending = transport.send(GET, { timeoutMs: 2_000, isOnly: true });
  await expect(sending).rejects.toMatchObject({ stage: 'not_sent', reason: 'ECONNREFUSED' });
  await transport.close();
});

it('ends when it is interrupted', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const transport = await openTransport({
    baseUrl: `http://127.0.0.1:${port}`,
    key: 'k',
    env: {},
    userAgent: 'cops/test',
  });
  const interrupt = new AbortController();
  const sending = transport.send(GET, { timeoutMs: 20_000, isOnly: true, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(), 50);
  await expect(sending).rejects.toMatchObject({ reason: 'ABORTED' });
  await transport.close();
  server.close();
});
