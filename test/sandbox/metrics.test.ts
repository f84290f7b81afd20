import parsePrometheus from 'parse-prometheus-text-format';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveSandbox } from '../../src/sandbox/serve/index.js';
import { Home } from '../harness/home.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { TEST_KEY } from './service.js';

let home: Home;
let served: Awaited<ReturnType<typeof serveSandbox>>;
beforeEach(async () => {
  home = new Home();
  const dataDir = String(home.env.COPS_DATA_DIR);
  await laySandbox(dataDir, Date.now(), FEW);
  served = await serveSandbox({ dataDir, port: 0, now: Date.now, random: () => 0.5 });
});
afterEach(async () => {
  await served.close();
  home.remove();
});

async function metrics() {
  const answer = await fetch(new URL('/metrics', served.url));
  expect(answer.headers.get('content-type')).toContain('version=0.0.4');
  return Object.fromEntries(parsePrometheus(await answer.text()).map((one) => [one.name, one]));
}

describe('/metrics of a served sandbox', () => {
  it('is read by another program, and counts what was answered', async () => {
    const before = await metrics();
    expect(Object.keys(before).sort()).toEqual([
      'cops_sandbox_clock_seconds',
      'cops_sandbox_request_seconds',
      'cops_sandbox_requests_total',
    ]);
    const get = (path: string, key = TEST_KEY) =>
      fetch(`${served.url}${path}`, { headers: { 'x-api-key': key } }).then((answer) => answer.arrayBuffer());
    await get('/campaigns?limit=25&page=1');
    await get('/campaigns?limit=25&page=1');
    await get('/campaigns?limit=25&page=1', 'nobody');
    await get('/%22%7D%0Aevil/x');
    await expect
      .poll(async () => (await metrics()).cops_sandbox_requests_total?.metrics)
      .toEqual([
        { labels: { method: 'GET', family: 'campaigns', status: '200' }, value: '2' },
        { labels: { method: 'GET', family: 'campaigns', status: '401' }, value: '1' },
        { labels: { method: 'GET', family: 'other', status: expect.stringMatching(/^4/) }, value: '1' },
      ]);
    const { cops_sandbox_request_seconds: seconds } = await metrics();
    expect(seconds?.metrics[0]).toMatchObject({ count: '4', buckets: { '+Inf': '4' } });
  });
});
