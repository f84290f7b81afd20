// The yardstick of the bulk bench: undici, the same writes, a line appended and synced in groups before each, a line after.
import { randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { Pool } from 'undici';

const [url, idsFile, out, concurrency] = process.argv.slice(2);
const ids = (await readFile(idsFile, 'utf8')).trim().split('\n');
const pool = new Pool(new URL(url).origin, { connections: Number(concurrency) });
const file = await open(out, 'a');
let waiting = [];
let pumping;
async function pump() {
  await Promise.resolve();
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    await file.write(group.map((one) => one.line).join(''));
    if (group.some((one) => one.sync)) await file.datasync();
    for (const one of group) one.done();
  }
  pumping = undefined;
}
function append(value, sync) {
  return new Promise((done) => {
    waiting.push({ line: `${JSON.stringify(value)}\n`, sync, done });
    pumping ??= pump();
  });
}
let next = 0;
async function worker() {
  while (next < ids.length) {
    const row = next++;
    const key = randomUUID();
    await append({ type: 'intent', row, ids: [ids[row]], key, time: new Date().toISOString() }, true);
    const { body } = await pool.request({
      method: 'POST',
      path: `/subscriptions/${ids[row]}/suspend`,
      headers: { 'content-type': 'application/json', 'x-api-key': 'test-key' },
      body: JSON.stringify({ idempotency_key: key }),
    });
    const { code } = await body.json();
    void append({ type: 'result', row, ids: [ids[row]], key, code, time: new Date().toISOString() }, false);
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
await pumping;
await file.datasync();
await file.close();
await pool.close();
