/** @module-tag thorough */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { id, listHandler, ok } from '../fixtures/service/service.js';
import { pair, service } from './helpers.js';
import { Home } from './program.js';

const rows = (text: string) => JSON.parse(text) as Record<string, unknown>[];

const offline = new Home();
afterAll(() => offline.remove());

describe('cops openapi', () => {
  const parameters = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  const description = {
    openapi: '3.1.0',
    info: { title: 'Service', version: '2' },
    paths: {
      '/trials': { get: { operationId: 'GetTrials', parameters: parameters('limit', 'page') } },
      '/robots': { get: { operationId: 'GetRobots', summary: 'List robots', parameters: parameters('limit', 'page') } },
      '/robots/{robot_id}/oil': { post: { operationId: 'OilRobot', summary: 'Oil a robot' } },
    },
  };
  const routes = {
    'GET /openapi.json': { json: description },
    'GET /trials': listHandler({ items: [{ id: id('T') }], dated: false }),
    'GET /robots': listHandler({ items: [{ id: id('R') }], dated: false }),
    'POST /robots/:id/oil': ok({ robot_id: id('R'), result: 'success' }),
  };

  it('keeps the description privately, and settles by it which lists take dates', async () => {
    const { service, home } = await pair({ routes });
    await home.run(['trials', 'list', '--last', '1d']);
    expect(service.requests.at(-1)?.query.has('date_start')).toBe(true);
    const pull = await home.run(['openapi', 'pull', '-o', 'json']);
    expect(pull.code, pull.stderr).toBe(0);
    const { file, new_operations } = JSON.parse(pull.stdout) as { file: string; new_operations: number };
    expect(new_operations).toBe(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const words of [
      ['openapi', 'show', '--raw'],
      ['api', 'GET', '/openapi.json', '-o', 'json'],
    ]) {
      const printed = await home.run(words);
      expect([printed.code, JSON.parse(printed.stdout)]).toEqual([0, description]);
    }
    const listed = await home.run(['trials', 'list', '-o', 'ids']);
    expect(listed.stdout).toBe(`${id('T')}\n`);
    expect(service.requests.at(-1)?.query.has('date_start')).toBe(false);
  });

  it('settles the dates of exports and copies as well', async () => {
    const { service, home } = await pair({ routes });
    await home.run(['openapi', 'pull']);
    const before = service.requests.length;
    const ended = await home.run(['export', 'trials', '--out', path.join(home.folder, 'trials.jsonl'), '-o', 'json']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ items: 1, from: null, to: null, complete: true });
    expect(
      (await home.run(['export', 'trials', '--last', '1d', '--out', path.join(home.folder, 'dated.jsonl')])).code,
    ).toBe(2);
    const synced = await home.run(['sync', `${path.join(home.folder, 'copies')}/`, 'trials', '-o', 'json']);
    expect(synced.code, synced.stderr).toBe(0);
    expect(rows(synced.stdout)).toMatchObject([{ family: 'trials', state: 'synced', items: 1 }]);
    const asked = service.requests.slice(before);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.some((request) => request.query.has('date_start'))).toBe(false);
  });

  it('makes operations usable that only it knows, guarded like what cannot be undone', async () => {
    const { service, home } = await pair({ routes }, 'test', {}, false);
    expect((await home.run(['robots', 'list'])).code).toBe(2);
    await home.run(['openapi', 'pull']);
    expect((await home.run(['robots', 'list', '-o', 'ids'])).stdout).toBe(`${id('R')}\n`);
    const before = service.requests.length;
    const unasked = await home.run(['robots', 'oil', id('R')]);
    expect(unasked.code).toBe(12);
    expect(service.requests.slice(before).every((request) => request.method === 'GET')).toBe(true);
    // Nothing that this service shows can prove the key.
    expect((await home.run(['robots', 'oil', id('R'), '--yes'])).code).toBe(12);
    const agreed = await home.run(['robots', 'oil', id('R'), '--yes', '--mode-unproven', '-o', 'json']);
    expect(agreed.code, agreed.stderr).toBe(0);
    expect(service.requests.at(-1)).toMatchObject({ method: 'POST', path: `/robots/${id('R')}/oil` });
    const help = await home.run(['robots', '--help']);
    expect(help.stdout).toContain('Oil a robot');
  });

  it('is not believed for another base URL', async () => {
    const { home } = await pair({ routes });
    await home.run(['openapi', 'pull']);
    const other = await service({ routes });
    const ran = await home.run(['trials', 'list', '--last', '1d'], { env: { COPS_BASE_URL: other.baseUrl } });
    expect(other.requests.at(-1)?.query.has('date_start')).toBe(true);
    expect(ran.code).not.toBe(0);
  });

  it('compares with exit code 0, or 1 with --strict', async () => {
    const { home } = await pair({ routes });
    expect((await home.run(['openapi', 'check'])).code).toBe(2);
    await home.run(['openapi', 'pull']);
    const check = await home.run(['openapi', 'check', '-o', 'json']);
    expect(check.code).toBe(0);
    const found = rows(check.stdout);
    expect(found).toContainEqual(expect.objectContaining({ difference: 'dates', operation: 'trials list' }));
    expect(found).toContainEqual(expect.objectContaining({ difference: 'new operation', operation: 'OilRobot' }));
    expect((await home.run(['openapi', 'check', '--strict'])).code).toBe(1);
  });

  it.each([
    ['no JSON', { body: '<html></html>' }],
    ['something else', { json: { swagger: '2.0' } }],
  ])('keeps the old description when the service answers with %s', async (_, answer) => {
    const { service, home } = await pair({ routes });
    const file = path.join(home.folder, 'config/openapi/env.json');
    await home.run(['openapi', 'pull']);
    const before = readFileSync(file, 'utf8');
    service.script(answer);
    const ran = await home.run(['openapi', 'pull']);
    expect(ran.code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('shows one operation whole', async () => {
    const { home } = await pair({ routes });
    await home.run(['openapi', 'pull']);
    const shown = await home.run(['openapi', 'show', '/robots/{id}/oil', '-o', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ operation_id: 'OilRobot', known: false });
    expect(rows((await home.run(['openapi', 'show', 'robots', '-o', 'json'])).stdout)).toHaveLength(2);
  });

  it('agrees with the embedded service about every operation', async () => {
    await offline.run(['-p', 'sandbox', 'openapi', 'pull']);
    const check = await offline.run(['-p', 'sandbox', 'openapi', 'check', '-o', 'json']);
    expect(rows(check.stdout)).toEqual([]);
  });
});
