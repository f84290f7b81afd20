/** @module-tag sweep */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalHeader } from '../../../src/account/journal/journal-lines.js';
import { sealed } from '../../../src/account/journal/seal.js';
import { fingerprint } from '../../../src/account/profiles/keys.js';
import { SANDBOX_LIVE_KEY } from '../../../src/sandbox/serve/embedded-keys.js';
import { ok, type Reaction, type Recorded, refusal } from '../../fixtures/service/service.js';
import { errorOf, json, pair } from '../helpers.js';
import type { Home } from '../program.js';
import { sandboxHome } from './helpers.js';

const LIVE = ['-p', 'sandbox', '--live', '-o', 'json'] as const;

interface PlanFile {
  readonly id: string;
  readonly time: string;
  readonly steps: { risk: string; body: Record<string, unknown>; [name: string]: unknown }[];
  readonly ids: Record<string, string>;
}

/** A plan that would fill the live account, as a file. */
async function kept(): Promise<{ readonly home: Home; readonly plan: string }> {
  const { home, setup } = await sandboxHome('--live-data', 'empty');
  expect(await setup('pull', 's')).toMatchObject({ code: 0 });
  const made = await home.run([...LIVE, 'setup', 'plan', 's', '--out', 'plan.json'], { cwd: home.folder });
  expect(made.code).toBe(13);
  return { home, plan: path.join(home.folder, 'plan.json') };
}

/** A journal that nobody began, beside a copy of the plan. */
function forged(home: Home, plan: string): string {
  const text = readFileSync(plan, 'utf8');
  const { steps, time } = JSON.parse(text) as PlanFile;
  const journal = path.join(home.folder, 'forged.journal');
  writeFileSync(`${journal}.plan.json`, text);
  const header: JournalHeader = {
    type: 'header',
    version: 2,
    id: '3f0c7f0e-58a7-4a57-8f5e-0d0c4a5a1b11',
    created: time,
    profile: 'sandbox',
    base_url: 'https://sandbox.invalid',
    mode: 'live',
    family: 'setup',
    action: 'apply',
    risk: 'read',
    credential: fingerprint(SANDBOX_LIVE_KEY),
    input: {
      kind: 'list',
      list: steps.map(({ key }) => String(key)),
      sha256: createHash('sha256').update(text).digest('hex'),
    },
    templates: [],
    rows: steps.length,
    keyless: false,
  };
  writeFileSync(journal, `${sealed(header, 1, 0)}\n`);
  return journal;
}

async function writesOf(home: Home): Promise<unknown[]> {
  return json<unknown[]>(await home.run(['history', 'list', '-o', 'json']));
}

describe('a plan that was kept', { timeout: 60_000 }, () => {
  it('does not decide its own risk, and is not applied once it was changed', async () => {
    const { home, plan } = await kept();
    const text = readFileSync(plan, 'utf8');
    const apply = async (change: (plan: PlanFile) => void, ...words: readonly string[]) => {
      const value = JSON.parse(text) as PlanFile;
      change(value);
      writeFileSync(plan, JSON.stringify(value));
      return errorOf(await home.run([...LIVE, 'setup', 'apply', plan, ...words], { cwd: home.folder }));
    };
    const harmless = ({ steps }: PlanFile) => {
      for (const step of steps) step.risk = 'read';
    };
    expect(await apply(harmless)).toMatchObject({ kind: 'stopped', message: expect.stringContaining('confirmation') });
    const changes: readonly ((plan: PlanFile) => void)[] = [
      ({ steps }) => void Object.assign(steps.at(-1)?.body ?? {}, { name: 'another' }),
      ({ ids }) => void Object.assign(ids, { [Object.keys(ids)[0] ?? 'x']: 'AAAAAAAAAAAAAAAAAAA1' }),
      ({ steps }) => void steps.pop(),
    ];
    const { id } = JSON.parse(text) as PlanFile;
    const changed = { kind: 'stopped', message: expect.stringContaining('was changed') };
    for (const change of changes) expect(await apply(change, '--yes', '--expect-plan', id)).toMatchObject(changed);
    expect(await writesOf(home)).toEqual([]);
  });

  it('is refused as no plan where it is none', async () => {
    const { home, setup } = await sandboxHome();
    const texts = ['{}', '[]', '{"environment":{},"steps":[1],"ids":{}}', '{"steps":[{"action":"drop"}]}'];
    for (const text of texts) {
      writeFileSync(path.join(home.folder, 'plan.json'), text);
      expect(await setup('apply', 'plan.json')).toMatchObject({ code: 2 });
    }
  });
});

describe('a journal of a set-up', { timeout: 60_000 }, () => {
  it('is gone on with only after a question, in the mode of the line, where writing is allowed', async () => {
    const { home, plan } = await kept();
    const journal = forged(home, plan);
    const resume = ['setup', 'resume', journal];
    const options = { cwd: home.folder };
    expect(errorOf(await home.run([...LIVE, ...resume], options)).message).toContain('confirmation');
    expect(errorOf(await home.run(['-p', 'sandbox', '-o', 'json', ...resume, '--yes'], options)).message).toContain(
      'mode live',
    );
    expect(await writesOf(home)).toEqual([]);
  });

  it('is not gone on with where the history knows more of it', async () => {
    const { home, plan } = await kept();
    const journal = path.join(home.folder, 'a.journal');
    const apply = [...LIVE, 'setup', 'apply', plan, '--yes', '--journal', journal];
    const applied = await home.run(apply, { cwd: home.folder });
    expect(applied.stdout, applied.stderr).not.toBe('');
    const before = await writesOf(home);
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(journal, `${lines.slice(0, Math.floor(lines.length / 2)).join('\n')}\n`);
    const ran = await home.run([...LIVE, 'setup', 'resume', journal, '--yes'], { cwd: home.folder });
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain('older copy');
    expect(await writesOf(home)).toHaveLength(before.length);
  });
});

/** A folder with one key-value, and a service with nothing in it that answers writes with `write`. */
async function oneValue(write: (request: Recorded) => Reaction, extra: Readonly<Record<string, string>> = {}) {
  const objects = new Map<string, unknown>();
  const { service, home } = await pair(
    (request) => {
      if (request.method === 'POST') {
        const answer = write(request);
        if (typeof answer === 'object' && answer.status === 200) objects.set('made', request.json);
        return answer;
      }
      if (request.path.startsWith('/key_values/')) return refusal('drop' in extra ? 500 : 404, 'E0001', 'none');
      return ok({ results: [], total_count: 0, total_pages: 0, page: 1, limit: 25 });
    },
    'live',
    extra,
  );
  const folder = path.join(home.folder, 's');
  expect(await home.run(['setup', 'init', 's'], { cwd: home.folder })).toMatchObject({ code: 0 });
  mkdirSync(path.join(folder, 'key-values'));
  writeFileSync(
    path.join(folder, 'key-values', 'token.yaml'),
    'key: token\nkey_type: string\nvalue: ${secret.env:TOKEN}\n',
  );
  const apply = ['setup', 'apply', 's', '--yes', '--journal', 'a.journal', '-o', 'json'];
  return { service, home, run: () => home.run(apply, { cwd: home.folder }) };
}

describe('an apply whose service is not kind', { timeout: 60_000 }, () => {
  it('hides the secrets that it sends, in whatever field, from every message and file', async () => {
    const secret = "tok_5f$&Qq$'z";
    const spellings = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex')];
    const { home, run, service } = await oneValue(
      ({ body }) => refusal(400, 'E0002', `not taken: ${spellings.join(' or ')} of ${body}`),
      { TOKEN: secret },
    );
    const ran = await run();
    expect(service.requests.some(({ method, body }) => method === 'POST' && body.includes(secret))).toBe(true);
    expect(ran.code).toBe(10);
    const files = readdirSync(home.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const texts = files.map((one) => readFileSync(path.join(one.parentPath, one.name), 'utf8'));
    for (const text of [ran.stdout, ran.stderr, ...texts]) for (const one of spellings) expect(text).not.toContain(one);
  });

  it('is not sent once more under another API key, which the idempotency key does not belong to', async () => {
    const { run, home, service } = await oneValue(() => 'drop', { TOKEN: 'abcdef' });
    expect((await run()).code).toBe(9);
    const sent = service.requests.filter(({ method }) => method === 'POST').length;
    const resume = ['setup', 'resume', 'a.journal', '--yes', '-o', 'json'];
    const other = await home.run(resume, { cwd: home.folder, env: { COPS_API_KEY: 'another_key_of_it_0002' } });
    expect(other.code, other.stderr).toBe(9);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(sent);
    await home.run(resume, { cwd: home.folder });
    const keys = service.requests.flatMap(
      ({ json: body }) => (body as { idempotency_key?: string })?.idempotency_key ?? [],
    );
    expect(keys.length).toBeGreaterThan(sent);
    expect(new Set(keys).size).toBe(1);
  });

  it('reports what was written if it cannot be read again', async () => {
    const { run } = await oneValue(() => ok({ key: 'token', result: 'created' }), { TOKEN: 'abcdef', drop: '1' });
    const ran = await run();
    expect(json<{ done: number }>(ran)).toMatchObject({ done: 1, steps: 1 });
    expect(ran.code).toBe(10);
    expect(ran.stderr).toContain('not read back');
  });
});
