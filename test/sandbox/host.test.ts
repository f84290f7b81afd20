/** A page in a browser must not reach the served sandbox under a name of its own (command-line.md#sandbox). */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { serveSandbox } from '../../src/sandbox/serve/index.js';
import { pair } from '../cli/helpers.js';
import { ok } from '../fixtures/service/service.js';
import { closeAfterTest } from '../harness/closing.js';
import { laySandbox } from '../harness/seeded.js';

function statusUnder(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}/campaigns`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

it('answers under the names of the loopback address, and those that were given', async () => {
  const { home } = await pair(() => ok());
  const dataDir = `${home.folder}/data`;
  await laySandbox(dataDir);
  const serving = closeAfterTest(
    await serveSandbox({
      dataDir,
      port: 0,
      hosts: ['Sandbox.Test'],
      now: Date.now,
      random: Math.random,
    }),
  );
  const { port } = new URL(serving.url);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', `[::1]:${port}`, `sandbox.test:${port}`]) {
    expect(await statusUnder(serving.url, host), host).not.toBe(421);
  }
  for (const host of [`evil.example:${port}`, 'evil.example', '127.0.0.1.evil.example', 'localhost@evil.example']) {
    expect(await statusUnder(serving.url, host), host).toBe(421);
  }
});
