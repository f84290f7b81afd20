// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places are written so in scenarios
/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';
import { FEW, laySandbox } from '../../harness/seeded.js';

/* What a scenario begins with besides a clock and a business: a snapshot, faults, cards, stubs. */

let home: Home;
let folder: string;
beforeEach(() => {
  home = new Home();
  folder = path.join(home.folder, 'scenarios');
  mkdirSync(folder);
});
afterEach(() => home.remove());

/** Plays the text of one file behind `version: 1`. */
async function play(text: string) {
  writeFileSync(path.join(folder, 'one.test.yaml'), `version: 1\n${text}`);
  const ran = await home.run(['test', folder, '-o', 'json']);
  const [end] = ran.stdout.startsWith('[') ? JSON.parse(ran.stdout) : [undefined];
  return { code: ran.code, stderr: ran.stderr, failure: end?.failure };
}
const held = { code: 0, failure: undefined };

describe('a card', () => {
  it('is declined from its day on, at a renewal and at a new sale', async () => {
    const text = `given:
  cards: [{ number: '4111111111111111', declines_from: 2026-01-20 }]
steps:
  - event: subscription.created
  - run: subscriptions list --limit 1
    as: sub
  - expect: [{ list: transactions, where: [result=approved], count: '>=1' }, { list: transactions, where: [result=declined], count: 0 }]
  - advance: 40d
    expect:
      - list: transactions
        where: [result=declined]
      - item: subscriptions \${sub[0].id}
        where: [is_overdue=true]
  - event: sale.created.success.paid
    exit: 1
`;
    expect(await play(text)).toMatchObject(held);
  });
});

describe('faults', () => {
  const created = 'steps:\n  - run: projects create --name Alpha\n';
  it.each([
    ['500', 9, 0],
    ['500-after', 9, 1],
    ['cut-before', 9, 0],
    ['cut-after', 9, 1],
    ['truncate', 9, 1],
    ['wrong-type', 9, 1],
    ['429', 7, 0],
    ['retry-after', 7, 0],
    ['503', 9, 0],
  ])('%s disturb as those of a served sandbox do', async (kind, exit, count) => {
    const text = `given: { faults: { ${kind}: 1 } }\n${created}    exit: ${exit}\nexpect: [{ list: projects, where: [name=Alpha], count: ${count} }]\n`;
    expect(await play(text)).toMatchObject(held);
  });
});

describe('a number of faults', () => {
  it('disturbs that many requests of a family, and none later', async () => {
    const made = 'steps:\n  - run: campaigns list --limit 1\n  - run: projects create --name Alpha\n    exit: 9\n';
    const text = `given: { faults: { '500-after': 1x@projects } }\n${made}  - run: projects create --name Beta\nexpect: [{ list: projects, where: [name=Beta], count: 1 }]\n`;
    expect(await play(text)).toMatchObject(held);
  });

  it('of a family that is not there is told before anything runs', async () => {
    const text = `given: { faults: { 503: 3x@salse } }\nsteps:\n  - run: campaigns list --limit 1\n`;
    expect(await play(text)).toMatchObject({ code: 2, stderr: expect.stringMatching(/no family for .*@salse/) });
  });
});

describe('a stub', () => {
  const code =
    "fetch('https://api.example.com/rates?of=USD', { method: 'POST' }).then((r) => r.json()).then((b) => callback(null, b.rate), (e) => callback(String(e)));";
  const run = `steps:\n  - run: functions run - --event sale.created\n    input: ${JSON.stringify(code)}\n    as: ran\n`;
  it('answers the requests of functions', async () => {
    const text = `given: { stubs: [{ url: 'https://api.example.com/rates*', method: POST, body: { rate: 1.1 } }] }\n${run}    expect: [{ value: 'ran.result=1.1' }]\n`;
    expect(await play(text)).toMatchObject(held);
  });

  it.each([
    ['another address', "[{ url: 'https://api.example.com/rate', body: {} }]"],
    ['another method', "[{ url: 'https://api.example.com/rates*', method: GET, body: {} }]"],
    ['nothing', '[]'],
  ])('of %s answers none', async (_about, stubs) => {
    const text = `given: { stubs: ${stubs} }\n${run}    exit: 1\n`;
    expect(await play(text)).toMatchObject(held);
  });

  it('of one scenario is not there in the next', async () => {
    const stubbed = `version: 1\ngiven: { stubs: [{ url: '*', body: { rate: 2 } }] }\n${run}`;
    writeFileSync(path.join(folder, 'earlier.test.yaml'), stubbed);
    expect(await play(`${run}    exit: 1\n`)).toMatchObject(held);
  });
});

describe('a snapshot', () => {
  it('is where a scenario begins, its clock included and its secrets not', async () => {
    await laySandbox(String(home.env.COPS_DATA_DIR), Date.now(), FEW);
    const sandbox = (...words: string[]) => home.run(['-p', 'sandbox', ...words, '-o', 'json']);
    await sandbox('projects', 'create', '--name', 'Kept');
    const { id } = JSON.parse((await sandbox('functions', 'list', '--limit', '1')).stdout)[0];
    const body = JSON.stringify({
      function_code: 'callback(null, process.env.TOKEN);',
      event_source: 'account_event',
      account_event_notations: ['sale.created.success.paid'],
      environment_variables: [{ name: 'TOKEN', value: 'the-secret', encrypted: true }],
    });
    const edited = await home.run(['-p', 'sandbox', 'functions', 'edit', id, '--body', '-', '-o', 'json'], {
      input: body,
    });
    expect(edited.code, edited.stderr).toBe(0);
    await sandbox('sandbox', 'clock', 'advance', '40d');
    const { now_unix: now } = JSON.parse((await sandbox('sandbox', 'clock', 'show')).stdout);
    expect((await sandbox('sandbox', 'snapshot', 'save', 'before')).code).toBe(0);
    const text = `given: { snapshot: before }
steps:
  - run: sandbox clock show
    as: c
    expect:
      - value: c.now_unix>=${now}
      - value: c.now_unix<${now + 3600}
  - event: sale.created.success.paid
  - run: projects create --name Later
expect:
  - { list: projects, where: [name=Kept], count: 1 }
  - { functions: [status=success, result=the-secret], count: 0 }
  - { functions: [status=success], count: '>=1' }
`;
    expect(await play(text)).toMatchObject(held);
    expect((await sandbox('projects', 'list')).stdout).not.toContain('Later');
  });

  it.each([
    ['is not there', '{ snapshot: none }', /no snapshot none/],
    ['has no such name', '{ snapshot: ../x }', /cannot name a snapshot/],
    ['comes with a clock of its own', '{ snapshot: before, now: 2026-01-01 }', /its own clock/],
  ])('that %s is a fault', async (_about, given, words) => {
    const { code, stderr } = await play(`given: ${given}\nsteps: [{ advance: 1d }]\n`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
