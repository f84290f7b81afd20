// Runs the most common commands, so that their compiled code can be cached.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ID = 'a'.repeat(20);
const LINES = [
  ['--help'],
  ['subscriptions', '--help'],
  ['subscriptions', 'cancel', '--help'],
  ['subscriptions', 'cancel', ID, '--dry-run'],
  ['customers', 'get', ID],
  ['customers', 'list', '--last', '1d', '-o', 'table'],
  ['subscriptions', 'cancel', ID, '--yes'],
  ['__complete', 'bash', 'line', '9', '80', ' =:', 'cops subscriptions c'],
  ['__complete', 'bash', 'line', '9', '80', ' =:', 'cops subscriptions list --'],
  ['mcp'],
  ['__complete', 'zsh', '4', 'cops', 'customers', 'create', '-d', ''],
];
/** The first messages of an MCP client. */
const HELLO = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((said) => `${JSON.stringify({ jsonrpc: '2.0', ...said })}\n`)
  .join('');
/** On the embedded service. */
const SANDBOX_LINES = [
  ['customers', 'list', '--last', '1d', '-o', 'table'],
  ['customers', 'get', ID],
];

/** Runs the lines with a command (its words) that stores compiled code, against a service in this process. */
export async function recordCodeCache([program, ...words], env) {
  const folder = await mkdtemp(path.join(tmpdir(), 'cops-build-'));
  const server = createServer(answer);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const common = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    COPS_CONFIG_DIR: path.join(folder, 'config'),
    COPS_DATA_DIR: path.join(folder, 'data'),
    ...env,
  };
  const service = {
    COPS_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    COPS_API_KEY: 'key_of_the_build_0001',
    COPS_MODE: 'test',
  };
  for (const line of LINES) await run(line, { ...common, ...service });
  for (const line of SANDBOX_LINES) await run(line, { ...common, COPS_PROFILE: 'sandbox' });
  server.close();
  await rm(folder, { recursive: true, force: true });

  function run(line, env) {
    return new Promise((ended) => {
      const child = spawn(program, [...words, ...line], { env, stdio: ['pipe', 'ignore', 'ignore'] });
      child.on('close', ended);
      // Most commands read no input, and may have ended before this.
      child.stdin.on('error', () => {});
      child.stdin.end(line[0] === 'mcp' ? HELLO : '');
    });
  }
}

function answer(request, response) {
  const item = `{"id":"${ID}","live_mode":false,"created_date_unix":1}`;
  const envelope = `"api_call_id":"${ID}","api_call_unix":1,"code":1`;
  const list = request.url?.includes('page=');
  response.setHeader('content-type', 'application/json');
  response.end(
    list
      ? `{${envelope},"current_count":1,"current_page":1,"results":[${item}],"total_count":1,"total_pages":1}`
      : `{${envelope},${item.slice(1)}`,
  );
}
