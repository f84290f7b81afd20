// The yardstick of the export bench: undici, the same pages, the bodies saved to one file, nothing else.
import { createWriteStream } from 'node:fs';
import { Pool } from 'undici';

const [url, out, connections] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 });
const asked = await (await pool.request({ path: '/asked', method: 'GET' })).body.json();
const file = createWriteStream(out).setMaxListeners(0);
const began = performance.now();
let next = 0;
async function worker() {
  while (next < asked.length) {
    const { body } = await pool.request({ path: asked[next++], method: 'GET', headers: { 'x-api-key': 'test-key' } });
    const whole = Buffer.from(await body.arrayBuffer());
    if (!file.write(whole)) await new Promise((resolve) => file.once('drain', resolve));
  }
}
await Promise.all(Array.from({ length: Number(connections) }, worker));
await new Promise((resolve) => file.end(resolve));
const seconds = (performance.now() - began) / 1000;
process.stdout.write(`${JSON.stringify({ seconds, pages: asked.length })}\n`);
await pool.close();
