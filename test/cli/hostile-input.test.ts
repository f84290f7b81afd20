/** @module-tag thorough */
/** What a hurried operator, a careless script and a hostile environment try (command-line.md#keys-and-modes, command-line.md#bodies, command-line.md#writes, command-line.md#bulk). */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  listHandler,
  ok,
  type Reaction,
  refusal,
  type Service,
  serverError,
  wrote,
} from '../fixtures/service/service.js';
import { A, B, C, home, items, KEY, pair, prove, service } from './helpers.js';
import { type Home, PROGRAM } from './program.js';

const CARD = '4111111111111111';
const posts = (at: Service) => at.requests.filter((request) => request.method === 'POST');
/** Reads are quick; a write is under way long enough for another process to come upon it. */
const slowWrites = ({ method }: { method: string }): Reaction =>
  method === 'POST' ? { ...wrote('subscription', A), delayMs: 600 } : ok({ id: A, live_mode: false });
const shows = (live: unknown) => () => ok({ id: A, live_mode: live, status: 'active' });

/** Everything that a run left behind in its home. */
function remains(of: Home): string {
  const all: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const whole = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(whole);
      else all.push(`${whole}\n${readFileSync(whole, 'latin1')}`);
    }
  };
  walk(of.folder);
  return all.join('\n');
}

async function history(of: Home): Promise<{ outcome: string; id: string }[]> {
  const ran = await of.run(['history', 'list', '-o', 'json']);
  return JSON.parse(ran.stdout) as { outcome: string; id: string }[];
}

it.each([
  ['"false"', 'false'],
  ['1', 1],
  ['"test"', 'test'],
  ['0', 0],
  ['"LIVE"', 'LIVE'],
])('a live_mode that is no boolean (%s) spares no question', async (_name, value) => {
  const { service: at, home: made } = await pair(
    (request) => (request.method === 'GET' ? shows(value)() : wrote('subscription', A)),
    'test',
    {},
    false,
  );
  const one = await made.run(['subscriptions', 'cancel', A]);
  expect([one.code, posts(at).length]).toEqual([12, 0]);
  const many = await made.run(['subscriptions', 'cancel', A, B]);
  expect([many.code, posts(at).length]).toEqual([12, 0]);
  const bulk = await made.run(['bulk', 'subscriptions', 'cancel', '--ids', '-', '--expect', '2'], {
    input: `${A}\r\n${B}\r\n`,
  });
  expect([bulk.code, posts(at).length]).toEqual([12, 0]);
});

it('two runs over the same ids at the same moment send each of them once', async () => {
  const { service: at, home: made } = await pair(slowWrites);
  const line = ['subscriptions', 'cancel', A, B, C, '--yes'];
  const ran = await Promise.all([made.run(line), made.run(line)]);
  const sent = posts(at).map((request) => request.path);
  expect(new Set(sent).size, ran.map((one) => one.stderr).join('\n---\n')).toBe(sent.length);
});

it('one id and several ids at the same moment send each of them once', async () => {
  const { service: at, home: made } = await pair(slowWrites);
  const ran = await Promise.all([
    made.run(['subscriptions', 'cancel', A, B, '--yes']),
    made.run(['subscriptions', 'cancel', A, '--yes']),
  ]);
  const sent = posts(at).map((request) => request.path);
  expect(new Set(sent).size, ran.map((one) => one.stderr).join('\n---\n')).toBe(sent.length);
});

it('two equal commands at the same moment send at most one', async () => {
  const { service: at, home: made } = await pair(slowWrites);
  await Promise.all([1, 2, 3].map(() => made.run(['subscriptions', 'cancel', A, '--yes'])));
  expect(posts(at).length).toBeLessThanOrEqual(1);
});

it('a write that could not begin is not held for unknown', async () => {
  const { service: at, home: made } = await pair(() => wrote('subscription', A));
  const line = ['subscriptions', 'cancel', A, '--yes'];
  const bad = await made.run(line, { env: { http_proxy: 'ftp://127.0.0.1:1' } });
  expect([bad.code, at.requests.length]).toEqual([2, 0]);
  expect((await history(made)).map((entry) => entry.outcome)).not.toContain('unknown');
  expect((await made.run(line)).code).toBe(0);
});

it.each([
  ['an alias of the action', ['subscription', 'cancel', A]],
  ['underscores and cops api', ['api', 'POST', `/subscriptions/${A}/cancel`]],
  ['cops api without the slash', ['api', 'post', `subscriptions/${A}/cancel`]],
  ['cops api with a slash at the end', ['api', 'POST', `/subscriptions/${A}/cancel/`]],
  ['cops api with a doubled slash', ['api', 'POST', `/subscriptions//${A}/cancel`]],
  ['cops api with an encoded letter', ['api', 'POST', `/subscriptions/${A}/%63ancel`]],
  ['several ids', ['subscriptions', 'cancel', A, B]],
  ['bulk', ['bulk', 'subscriptions', 'cancel', '--ids', '-', '--expect', '1'], `${A}\r\n`],
] as const)('what is unknown is not repeated by %s', async (_name, args, input?: string) => {
  const { service: at, home: made } = await pair({ handler: () => serverError(502) });
  const line = ['subscriptions', 'cancel', A, '--yes'];
  expect((await made.run(line)).code).toBe(9);
  const ran = await made.run([...args, '--yes'], input === undefined ? {} : { input });
  expect([ran.code, posts(at).length], ran.stderr).toEqual([12, 1]);
});

it.each([
  ['a slash at the end of the base URL', (at: Service) => ({ COPS_BASE_URL: `${at.baseUrl}/` })],
  ['an upper-case scheme and host', (at: Service) => ({ COPS_BASE_URL: at.baseUrl.replace('http', 'HTTP') })],
] as const)('what is unknown is not repeated with %s', async (_name, env) => {
  const { service: at, home: made } = await pair({ handler: () => serverError(502) });
  const line = ['subscriptions', 'cancel', A, '--yes'];
  expect((await made.run(line)).code).toBe(9);
  const ran = await made.run(line, { env: env(at) });
  expect([ran.code, posts(at).length], ran.stderr).toEqual([12, 1]);
});

it('what is unknown is not repeated after its profile was renamed, nor by another profile with the same key', async () => {
  const at = await service({ handler: () => serverError(502) });
  const made = home({ THE_KEY: KEY });
  prove(made, at.baseUrl);
  const add = (name: string) =>
    made.run([
      'profiles',
      'add',
      name,
      '--base-url',
      at.baseUrl,
      '--test-key',
      'env:THE_KEY',
      '--live-key',
      'env:THE_KEY',
    ]);
  expect((await add('one')).code).toBe(0);
  const line = (name: string) => ['subscriptions', 'cancel', A, '--yes', '-p', name];
  expect((await made.run(line('one'))).code).toBe(9);
  const renamed = await made.run(['profiles', 'rename', 'one', 'two']);
  expect(renamed.code, renamed.stderr).toBe(0);
  const before = posts(at).length;
  const again = await made.run(line('two'));
  expect([again.code, posts(at).length - before], again.stderr).toEqual([12, 0]);
  expect((await add('three')).code).toBe(0);
  const other = await made.run(line('three'));
  expect([other.code, posts(at).length - before], other.stderr).toEqual([12, 0]);
  const env = await made.run(['subscriptions', 'cancel', A, '--yes'], {
    env: { COPS_API_KEY: KEY, COPS_BASE_URL: at.baseUrl, COPS_MODE: 'test' },
  });
  expect([env.code, posts(at).length - before], env.stderr).toEqual([12, 0]);
});

it.each([
  ['-d', ['-d', `payment.cardNumber=${CARD}`]],
  ['-d with dashes', ['-d', `payment.card-number=${CARD}`]],
  ['-d pan', ['-d', `payment.pan=${CARD}`]],
  ['-d deep', ['-d', `a[0].b[0].card_number=${CARD}`]],
  ['-d := JSON', ['-d', `payments:=[{"creditCard":{"cardNumber":"${CARD}"}}]`]],
  ['-d cvv', ['-d', 'payment.cardCvv=123']],
  ['-d cvv2', ['-d', 'payment.cvv2=123']],
  ['-d securityCode', ['-d', 'payment.securityCode=123']],
  ['-d apiKey', ['-d', 'gateway.apiKey=abc']],
  ['-d secretKey', ['-d', 'gateway.secretKey=abc']],
  ['--body', ['--body', `{"payment":{"cardNumber":"${CARD}"}}`]],
  ['--body number', ['--body', `{"payment":{"cardNumber":${CARD}}}`]],
  ['a name nobody knows', ['-d', `payment.number=${CARD}`]],
  ['a name nobody knows with spaces', ['-d', 'payment.plastic=4111 1111 1111 1111']],
])('a secret is not taken from the command line by cops api: %s', async (_name, args) => {
  const { service: at, home: made } = await pair(() => ok());
  const ran = await made.run(['api', 'POST', '/unknown_things', ...args, '--yes', '--debug']);
  expect([ran.code, at.requests.length], ran.stderr).toEqual([2, 0]);
  expect(ran.stdout + ran.stderr + remains(made)).not.toContain(CARD);
  const dry = await made.run(['api', 'POST', '/unknown_things', ...args, '--dry-run']);
  expect(dry.stdout + dry.stderr).not.toContain(CARD);
});

it('an open body from a file leaks nothing in trace, errors, history or dry run', async () => {
  const { service: at, home: made } = await pair((request) =>
    refusal(400, 'E0001', `cannot read ${request.body} with key ${request.headers['x-api-key']}`),
  );
  const file = path.join(made.folder, '..', `${path.basename(made.folder)}.json`);
  writeFileSync(file, JSON.stringify({ payment: { cardNumber: CARD, cvv2: '987', apiKey: 'hush-hush' }, n: [CARD] }));
  for (const more of [['--debug'], ['-o', 'json', '--debug', '--raw'], ['--dry-run']]) {
    const ran = await made.run(['api', 'POST', '/unknown_things', '--body', `@${file}`, '--yes', '--again', ...more]);
    const all = ran.stdout + ran.stderr + remains(made);
    for (const secret of [CARD, 'hush-hush', KEY]) expect(all, `${secret} ${more}`).not.toContain(secret);
  }
  expect(at.requests.length).toBe(2);
});

it('a service that quotes a secret brings it into no error, of a POST that only reads either', async () => {
  const { home: made } = await pair((request) =>
    refusal(400, 'E0958', `cannot read ${request.body}`, { explanation: request.body, node_id: request.body }),
  );
  const file = path.join(made.folder, 'b.json');
  writeFileSync(file, JSON.stringify({ credit_card: { card_number: CARD, card_code: '90817' } }));
  for (const line of [
    ['sales', 'estimate', '--no-validate'],
    ['api', 'POST', '/sales/estimate'],
    ['api', 'POST', '/unknown_things', '--yes'],
  ]) {
    for (const more of [[], ['-o', 'json', '--raw', '--debug']]) {
      const ran = await made.run([...line, '--body', `@${file}`, ...more]);
      expect(ran.code, ran.stderr).toBe(1);
      for (const secret of [CARD, '90817']) expect(ran.stdout + ran.stderr, line.join(' ')).not.toContain(secret);
    }
  }
});

it('reports a mode contradiction in the answer of a write, and stops the rows after it', async () => {
  const { service: at, home: made } = await pair((request) =>
    request.method === 'POST' ? ok({ customer_group_id: A, live_mode: true }) : ok({ id: A }),
  );
  const ran = await made.run(['customer-groups', 'edit', A, '--name', 'x', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(12);
  expect(ran.stderr).toMatch(/was (done|carried out)/);
  expect((await history(made))[0]?.outcome).toBe('done');
  const before = posts(at).length;
  const many = await made.run(['customer-groups', 'edit', A, B, C, '--name', 'y', '--concurrency', '1']);
  expect([many.code, posts(at).length - before], many.stderr).toEqual([12, 0]);
});

it('files of a run are private', async () => {
  const { home: made } = await pair(() => wrote('subscription', A));
  await made.run(['subscriptions', 'cancel', A, '--yes']);
  await made.run(['bulk', 'subscriptions', 'cancel', '--ids', '-', '--yes', '--expect', '1'], { input: B });
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const whole = path.join(folder, entry.name);
      expect((statSync(whole).mode & 0o077).toString(8), whole).toBe('0');
      if (entry.isDirectory()) walk(whole);
    }
  };
  walk(made.folder);
});

it('a disk that fills up after a write was sent does not hide that it was done', { tags: ['process'] }, async () => {
  const { service: at, home: made } = await pair(() => wrote('customer_group', A));
  const folder = path.join(made.folder, 'config', 'history');
  mkdirSync(folder, { recursive: true });
  // Room for the intent, not for the outcome.
  writeFileSync(
    path.join(folder, `${new Date().toISOString().slice(0, 7)}.jsonl`),
    `${'{"type":"'.padEnd(4096 - 561, 'x')}\n`,
  );
  const line = [process.execPath, PROGRAM, 'customer-groups', 'edit', A, '--name', 'x'];
  const ran = spawn('bash', ['-c', `ulimit -f 4; exec "$0" "$@"`, ...line], { env: made.env as NodeJS.ProcessEnv });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  ran.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  ran.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise((resolve) => ran.on('close', resolve));
  expect([code, posts(at).length], Buffer.concat(err).toString()).toEqual([0, 1]);
  expect(Buffer.concat(out).toString()).toContain('customer_group_id');
  expect(Buffer.concat(err).toString()).toContain('could not be recorded');
  const again = await made.run(['customer-groups', 'edit', A, '--name', 'x']);
  expect([again.code, posts(at).length]).toEqual([12, 1]);
});

it.each(['subscriptions cancel --live --yes', 'subscriptions cancel -y', 'subscriptions cancel -qy "--yes"'])(
  'an alias confirms nothing: %s',
  async (template) => {
    const { service: at, home: made } = await pair(() => wrote('subscription', A));
    expect((await made.run(['config', 'set', 'alias.rf', '--', template])).code).toBe(2);
    mkdirSync(path.join(made.folder, 'config'), { recursive: true });
    const config = { version: 1, profiles: {}, aliases: { rf: template } };
    writeFileSync(path.join(made.folder, 'config', 'config.json'), JSON.stringify(config), { mode: 0o600 });
    const ran = await made.run(['rf', A]);
    expect([ran.code, at.requests.length], ran.stderr).toEqual([2, 0]);
  },
);

it.each([
  ['sync', (made: Home) => ['sync', path.join(made.folder, 'copies')]],
  ['export', () => ['export', 'customers', '--from', '1y', '--out', '-']],
  ['bulk', () => ['bulk', 'subscriptions', 'cancel', '--ids', '-']],
  ['openapi pull', () => ['openapi', 'pull']],
] as const)('a dry run of %s sends nothing', async (_name, args) => {
  const { service: at, home: made } = await pair(() => ok());
  await made.run([...args(made), '--dry-run'], { input: `${A}\n` });
  expect(at.requests).toHaveLength(0);
});

it.each(['jsonl', 'csv', 'tsv'])(
  'an export to a terminal (%s) prints no live control character',
  { tags: ['process'] },
  async (format) => {
    const evil = 'a\u001b[31m\u009b31m\u202egnp\u0007\u007fé';
    const { home: made } = await pair(
      listHandler({ items: items(3, Math.floor(Date.now() / 1000) - 9, { name: evil }) }),
    );
    const words = ['export', 'customers', '--from', '2d', '--out', '-', '--format', format];
    const command = [process.execPath, PROGRAM, ...words].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', `${command} 2>/dev/null`, '/dev/null'], {
      env: made.env as NodeJS.ProcessEnv,
    });
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    await new Promise((resolve) => child.on('close', resolve));
    const text = Buffer.concat(out).toString().replaceAll('\r\n', '\n').replaceAll('\t', '');
    expect(text).toContain('ITEM0');
    expect(text).toContain('é');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  },
);

it.each([
  ['bulk', ['bulk', 'subscriptions', 'cancel', '--ids', '-', '--yes', '--expect', '1'], A],
  ['bulk without a question', ['bulk', 'customers', 'enable', '--ids', '-'], A],
  ['several ids', ['subscriptions', 'cancel', '-', '--yes'], `${A}\n${B}`],
  ['one id', ['subscriptions', 'cancel', '-', '--yes'], A],
  ['a body', ['customer-groups', 'edit', A, '--body', '-'], '{"name":"x"}'],
])('Ctrl-C while %s is read from standard input sends nothing', { tags: ['process'] }, async (_name, args, input) => {
  const { service: at, home: made } = await pair(() => wrote('subscription', A));
  const ran = await made.run(args, {
    onStart: (child) => {
      // Spawned without input, so that its end can be put off until the signal was taken.
      setTimeout(() => child.kill('SIGINT'), 1_000);
      setTimeout(() => child.stdin?.end(`${input}\n`), 1_400);
    },
    openInput: true,
  });
  expect([posts(at).length, ran.code === 130 || ran.signal === 'SIGINT'], ran.stderr).toEqual([0, true]);
});

it('a read-only profile sends nothing that is not a read, by any spelling', async () => {
  const at = await service({ handler: () => ok() });
  const made = home({ THE_KEY: KEY });
  const added = ['profiles', 'add', 'one', '--base-url', at.baseUrl, '--test-key', 'env:THE_KEY', '--read-only'];
  expect((await made.run(added)).code).toBe(0);
  for (const line of [
    ['subscriptions', 'cancel', A, '--yes'],
    ['subscriptions', 'cancel', A, B, '--yes'],
    ['api', 'POST', `/subscriptions/${A}/cancel`, '--yes'],
    ['api', 'POST', '/anything', '--yes'],
    ['bulk', 'subscriptions', 'cancel', '--ids', '-', '--yes'],
    ['customer-groups', 'edit', A, '--name', 'x'],
    ['customer-groups', 'edit', A, '--name', 'x', '--dry-run'],
    ['api', 'POST', '/anything', '--dry-run'],
  ]) {
    const ran = await made.run(line, { input: A });
    expect([ran.code, posts(at).length], `${line.join(' ')}: ${ran.stderr}`).toEqual([12, 0]);
  }
});

it('a write that was killed before its answer is not repeated', { tags: ['process'] }, async () => {
  const { service: at, home: made } = await pair((): Reaction => 'silence');
  const line = ['subscriptions', 'suspend', A, '--yes'];
  await made.run(line, {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (posts(at).length > 0) child.kill('SIGKILL');
      }, 10);
      child.on('exit', () => clearInterval(timer));
    },
  });
  const before = posts(at).length;
  expect(before).toBe(1);
  expect((await made.run(line)).code).toBe(12);
  expect(posts(at)).toHaveLength(before);
});

it.each([
  ['list', ['customers', 'list', '--last', '2d', '-o', 'jsonl']],
  ['export', ['export', 'customers', '--from', '2d', '--out', '-']],
])('a live key filed as a test key is stopped by %s, and by every command after it', async (_name, line) => {
  const live = listHandler({ items: items(30, Math.floor(Date.now() / 1000) - 9, { live_mode: true }) });
  const { service: at, home: made } = await pair((request) =>
    request.method === 'POST' ? wrote('customer_group', A) : live(request),
  );
  const first = await made.run(line);
  expect([first.code, first.stdout]).toEqual([12, '']);
  const before = at.requests.length;
  const write = await made.run(['customer-groups', 'edit', A, '--name', 'x']);
  expect([write.code, at.requests.length - before], write.stderr).toEqual([12, 0]);
});

it('Ctrl-C while a write is under way ends the waiting that was to follow it', { tags: ['process'] }, async () => {
  const { service: at, home: made } = await pair(
    (request): Reaction =>
      request.method === 'POST'
        ? { ...ok({ product_sync_id: A, id: A }), delayMs: 600 }
        : ok({ id: A, status: 'running' }),
  );
  const line = ['products', 'sync', 'start', '-d', 'third_party_shop=shopify', '--wait', '--no-validate', '--yes'];
  const ran = await made.run(line, {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (posts(at).length === 0) return;
        clearInterval(timer);
        child.kill('SIGINT');
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
  expect([ran.code, at.requests.length], ran.stderr).toEqual([0, 1]);
  expect(ran.stdout).toContain(A);
});
