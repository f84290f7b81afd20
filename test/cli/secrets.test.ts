/** What a service repeats of a write's secrets is shown and kept nowhere (command-line.md#keys-and-modes, command-line.md#bodies). */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listHandler, ok, type Recorded } from '../fixtures/service/service.js';
import { A, B, KEY, pair } from './helpers.js';

const CARD = '4111111111111111';
const CODE = '737';
const SPELLINGS = [
  CARD,
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '4111.1111.1111.1111',
  Buffer.from(CARD).toString('base64'),
  Buffer.from(CARD).toString('hex'),
  `(${CODE})`,
  KEY,
  encodeURIComponent(KEY),
  Buffer.from(KEY).toString('base64'),
  Buffer.from(KEY).toString('hex'),
];
const SAID = `declined ${SPELLINGS.join(' | ')}`;
const BODY = { credit_card: { card_number: CARD, card_code: CODE, exp_month: '12', exp_year: '2030' } };

/** A service that repeats what it was sent, in a refusal, a decline, or an answer that is done. */
const repeating = (status: number, code: number) => (request: Recorded) => {
  if (request.method === 'GET') return ok({ id: A, live_mode: false, echo: SAID });
  const error = code === 1 ? {} : { error_code: 'E0001' };
  const answer = { code, message: SAID, echo: SAID, deep: [{ text: SAID }], ...error };
  return { status, headers: { 'content-type': 'application/json', 'x-echo': SAID }, body: JSON.stringify(answer) };
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => statSync(name).isFile());
}

describe.each([
  ['a refusal', 400, 0],
  ['a decline', 402, 2],
  ['a failure', 500, 0],
  ['an answer that is done', 200, 1],
] as const)('%s that repeats card, code and key', (_, status, code) => {
  it.each([
    ['one write', ['payment-methods', 'create', A, '--body', '@body.json']],
    ['one write, raw', ['payment-methods', 'create', A, '--body', '@body.json', '--raw', '--debug', '-v']],
    ['cops api', ['api', `/customers/${A}/payment_methods`]],
    [
      'bulk',
      ['bulk', 'customers', 'payment-methods', 'create', '--input', 'rows.jsonl', '--journal', 'run.journal', '-v'],
    ],
  ] as const)('is clean at every sink: %s', async (kind, line) => {
    const { home } = await pair(repeating(status, code));
    const cwd = home.folder;
    const out: string[] = [];
    writeFileSync(path.join(cwd, 'body.json'), JSON.stringify(BODY));
    writeFileSync(
      path.join(cwd, 'rows.jsonl'),
      [A, B].map((id) => JSON.stringify({ customer_id: id, ...BODY })).join('\n'),
    );
    const given = new Set(filesBelow(cwd));
    const words =
      kind === 'cops api'
        ? ['api', 'POST', line[1], '--body', '@body.json']
        : kind === 'bulk'
          ? line
          : ['customers', ...line];
    for (const format of ['json', 'table']) {
      const ran = await home.run(
        [
          ...words,
          '--yes',
          ...(kind === 'cops api' ? [] : ['--no-validate']),
          '--again',
          '-o',
          format,
          '--max-retries',
          '0',
        ],
        {
          cwd,
        },
      );
      out.push(ran.stdout, ran.stderr);
      if (kind !== 'bulk') continue;
      const report = await home.run(['bulk', 'report', 'run.journal', '-o', 'json'], { cwd });
      out.push(report.stdout, report.stderr);
      break;
    }
    const kept = filesBelow(cwd).filter((name) => !given.has(name) && !name.endsWith('.rows'));
    expect(kept.length).toBeGreaterThan(0);
    const everything = [...out, ...kept.map((name) => readFileSync(name, 'utf8'))].join('\n');
    // A run keeps nothing of an answer that is done.
    if (kind !== 'bulk' || code !== 1) expect(everything).toMatch(/\*{4}1111/);
    for (const spelling of SPELLINGS) expect(everything, spelling).not.toContain(spelling);
  });
});

it('several ids and reads hide the key that the service repeats', async () => {
  for (const [status, code] of [
    [400, 0],
    [200, 1],
  ] as const) {
    const { home } = await pair(repeating(status, code));
    const runs = [
      await home.run(['subscriptions', 'cancel', A, B, '--yes', '-o', 'json']),
      await home.run(['customers', 'get', A, '-o', 'json']),
    ];
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(KEY);
    expect(runs[1]?.stdout).toContain('echo');
  }
});

it('reads and exports hide the key in whatever spelling a record of a call shows it', async () => {
  const key = 'sk_test/01+23&45"67==';
  const spellings = [
    key,
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(key),
    encodeURIComponent(key).toLowerCase(),
    Buffer.from(key).toString('hex'),
    Buffer.from(key).toString('hex').toUpperCase(),
    Buffer.from(key).toString('base64'),
    Buffer.from(key).toString('base64url'),
  ];
  for (const spelling of spellings) {
    const item = {
      id: A,
      request: `GET /x?key=${spelling}`,
      created_date_unix: Math.floor(Date.now() / 1000) - 86_400,
    };
    const { home } = await pair(
      (request) => (request.path === '/api_calls' ? listHandler({ items: [item] })(request) : ok(item)),
      'test',
      { COPS_API_KEY: key },
    );
    const runs = [
      await home.run(['api-calls', 'get', A, '-o', 'json']),
      await home.run(['api-calls', 'list', '--last', '2d', '-o', 'json']),
      await home.run(['export', 'api-calls', '--last', '2d', '--out', '-']),
      await home.run(['api', 'GET', `/api_calls/${A}`]),
    ];
    for (const { stdout, stderr } of runs) {
      expect(stdout, stderr).toContain('GET /x?key=****');
      expect(stdout).not.toContain(spelling);
      expect(stdout).not.toContain(JSON.stringify(spelling).slice(1, -1));
    }
  }
});

it.each([200, 400])('the head of an answer that repeats key and card is clean (%d)', async (status) => {
  const body = { code: status === 200 ? 1 : 0, message: 'x', id: A, live_mode: false };
  const { home } = await pair(() => ({ status, headers: { 'x-echo': SAID }, body: JSON.stringify(body) }));
  for (const method of ['GET', 'POST']) {
    const ran = await home.run(['api', method, '/unknown_things', '-i', '--yes', '--again', '--mode-unproven']);
    expect(ran.stdout + ran.stderr).toContain('x-echo: declined');
    for (const secret of [KEY, CARD]) expect(ran.stdout + ran.stderr, method).not.toContain(secret);
  }
});

it('shows no key that was typed where a line does not parse, and keeps none as a reason', async () => {
  const { home } = await pair(() => ok({ id: A, live_mode: false, amount_total: 10, iso_currency: 'USD' }));
  for (const line of [
    [KEY],
    ['customers', 'list', '--search', KEY],
    ['transactions', 'list', '--header', `Authorization:${KEY}`],
    ['transactions', 'refund', A, '--reason', `with ${KEY}`, '--yes'],
    ['subscriptions', 'cancel', A, '--idempotency-key', KEY, '--yes'],
    ['alias', 'set', 'mine', `customers list --search ${KEY}`],
    ['alias', 'list'],
    ['config', 'set', 'alias.mine', `customers list --search ${KEY}`],
    ['history', 'list', '-o', 'json'],
  ]) {
    const ran = await home.run(line);
    expect(`${ran.stdout}${ran.stderr}`, line.join(' ')).not.toContain(KEY);
  }
  const kept = filesBelow(home.folder).filter((file) => readFileSync(file, 'utf8').includes(KEY));
  expect(kept).toEqual([]);
});

it.each([
  ['projects', 'create', '--name', KEY],
  ['projects', 'create', '--body', `{"name": "of ${KEY}"}`],
  ['api', 'GET', '/campaigns', '-H', `x-copy: ${KEY}`],
  ['api', 'GET', `/campaigns/${KEY}`],
])('refuses a key on the line of a dry run or a curl line, and shows none: %s %s %s', async (...line) => {
  const { home } = await pair(() => ok({ id: A, live_mode: false }));
  for (const more of ['--dry-run', '--curl']) {
    const ran = await home.run([...line, more]);
    expect(ran.code, ran.stderr).toBe(2);
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
  }
});

describe.each([
  ['a card number', CARD],
  ['an API key', KEY],
])('%s in a free text', (_, secret) => {
  const text = `of ${secret} only`;
  /** Each command that keeps words, with the words that it keeps; ids.txt, rows.csv and the like are made before. */
  const lines: readonly (readonly string[])[] = [
    ...['--reason', '--idempotency-key'].map((option) => ['customers', 'enable', A, option, text]),
    ['customers', 'enable', text],
    ['customers', 'enable', A, B, '--reason', text],
    ['customers', 'note', A, text],
    ['history', 'settle', 'ENTRY', '--as', 'done', '--note', text],
    ...['--journal', '--reason', '--where', '--with', '--id-column', '-d', '--body'].map((option) => {
      const value = option === '-d' ? `text=${text}` : option === '--body' ? `{"text":"${text}"}` : text;
      return ['bulk', 'customers', 'note', '--ids', 'ids.txt', '--journal', 'a.journal', '-d', 'text=x', option, value];
    }),
    ['bulk', 'customers', 'note', '--ids', 'ids.txt', '--journal', 'a.journal', '--body', '@text.json'],
    ['bulk', 'customers', 'note', '--input', '-', '--journal', 'a.journal', '-d', 'text={text}'],
    ['bulk', 'customers', 'enable', '--input', '-', '--journal', 'a.journal'],
    ['bulk', 'customers', 'enable', '--input', 'rows.csv', '--journal', 'b.journal'],
    ['alias', 'set', 'mine', `customers list --where "first_name=${text}"`],
    ...['web_url', 'pager', 'columns.customers'].map((name) => ['config', 'set', name, text]),
    ['profiles', 'add', secret, '--base-url', 'https://api.example.com/v2', '--test-key', 'env:NONE'],
    ['profiles', 'add', 'other', '--base-url', `https://api.example.com/${secret}`, '--test-key', 'env:NONE'],
    ['policy', 'add', '--operations', 'refund', '--most', '5 USD', '--name', text],
    ['sql', 'save', 'mine', `select '${text}'`],
    ['events', 'listen', '--forward-to', `http://127.0.0.1:1/${secret}`],
    ['export', 'customers', '--out', 'a.jsonl', '--columns', text],
  ];

  it('is kept nowhere on the disk', async () => {
    let isLost = true;
    const { home } = await pair((request) => {
      if (request.method === 'GET') return ok({ id: A, live_mode: false });
      const answer = { code: 1, result: 'success', id: A, api_call_id: secret, live_mode: false };
      return isLost ? { status: 500, body: '{"code":0}' } : { status: 200, body: JSON.stringify(answer) };
    });
    const cwd = home.folder;
    for (const [name, content] of [
      ['ids.txt', `${A}\n${B}\n`],
      ['rows.csv', `id,text\n${A},${text}\n`],
      ['text.json', JSON.stringify({ text })],
    ] as const)
      writeFileSync(path.join(cwd, name), content);
    const given = new Set(filesBelow(cwd));
    await home.run(['customers', 'disable', A, '--yes', '--max-retries', '0'], { cwd });
    const [unknown] = JSON.parse((await home.run(['history', 'list', '-o', 'json'])).stdout) as { id: string }[];
    isLost = false;
    for (const line of [['customers', 'enable', A], ['customers', 'disable', A, B, '--again'], ...lines]) {
      const words = line.map((word) => (word === 'ENTRY' ? (unknown?.id ?? '') : word));
      await home.run([...words, '--yes'], { cwd, input: `id,text\n${A},${text}\n` });
      const kept = filesBelow(cwd).filter((name) => !given.has(name));
      const bad = kept.filter((name) => name.includes(secret) || readFileSync(name, 'latin1').includes(secret));
      expect(bad, line.join(' ')).toEqual([]);
    }
    const history = await home.run(['history', 'list', '-o', 'json']);
    expect(history.stdout).toMatch(/\*{4}\w{4}/);
  });
});
