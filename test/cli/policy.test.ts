import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Handler, ok, refusal, wrote } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { A, B, C, home as emptyHome, errorOf, json, pair } from './helpers.js';
import type { Home } from './program.js';

/** Transactions of 100 USD each; a refund answers as `refund` says. */
function shop(refund: Handler = () => wrote('item', A)): Handler {
  return (request, ...rest) =>
    request.method === 'GET'
      ? ok({
          id: request.path.split('/')[2],
          live_mode: false,
          amount: 100,
          amount_total: 100,
          amount_refunded: 0,
          iso_currency: 'USD',
        })
      : refund(request, ...rest);
}

function setPolicy(home: Home, rules: string, zone = 'UTC'): void {
  const folder = home.env.COPS_CONFIG_DIR ?? '';
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'policy.yaml'), `zone: ${zone}\nrules:\n${rules}\n`);
}

const historyOf = (home: Home) => path.join(home.env.COPS_CONFIG_DIR ?? '', 'history');
const DAY_RULE = '  - {name: day, most_a_day: {USD: 100}}';
const noon = () => new QuickClock(Date.UTC(2026, 0, 15, 12));
const refund = (id: string, amount: string, ...more: string[]) => [
  'transactions',
  'refund',
  id,
  '-d',
  `amount=${amount}`,
  ...more,
];

describe('the policy of this machine', () => {
  it('stops what may never be written, single and bulk, before anything is sent', async () => {
    const { service, home } = await pair(shop());
    setPolicy(home, '  - {name: no-refunds, never: [transactions refund]}');
    const one = await home.run(refund(A, '5', '-o', 'json'));
    expect(one.code).toBe(12);
    expect(errorOf(one)).toMatchObject({ kind: 'stopped', rule: 'no-refunds', limit: 'never' });
    const many = await home.run(['transactions', 'refund', A, B, '--yes', '-o', 'json']);
    expect(many.code).toBe(12);
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('applies as soon as it exists, even in the middle of a run', async () => {
    let written = 0;
    const { service, home } = await pair(
      shop(() => {
        written++;
        if (written === 2) setPolicy(home, '  - {name: no-refunds, never: [transactions refund]}');
        return wrote('item', A);
      }),
    );
    const line = ['transactions', 'refund', A, B, C, '-d', 'amount=1', '--concurrency', '1', '--yes', '-o', 'json'];
    const ran = await home.run(line);
    expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('stopped by the policy')]);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('is checked by a dry run without a request, which says what it leaves', async () => {
    const { service, home } = await pair(shop());
    const said = 'policy rule "no-refunds"';
    expect((await home.run(refund(A, '5', '--dry-run'))).stderr).not.toContain('policy');
    setPolicy(home, '  - {name: least, most: {USD: 1}}');
    expect((await home.run(refund(A, '5', '--dry-run'))).stderr).toContain('policy check');
    setPolicy(home, '  - {name: no-refunds, never: [transactions refund]}');
    for (const line of [refund(A, '5', '--dry-run'), ['transactions', 'refund', A, B, '--dry-run']]) {
      const ran = await home.run(line);
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain(said);
    }
    expect((await home.run(['sales', 'list', '--dry-run'])).stderr).not.toContain(said);
    expect(service.requests).toEqual([]);
  });

  it('lets only the named families pass, with a reason that is kept', async () => {
    const { service, home } = await pair(() => wrote('item', A));
    setPolicy(home, '  - {name: campaigns, only: [customer-groups], reason: true}');
    expect((await home.run(['customer-groups', 'edit', A, '-d', 'name=x'])).code).toBe(12);
    expect((await home.run(['projects', 'edit', A, '-d', 'name=x', '--reason', 'r'])).code).toBe(12);
    const line = ['customer-groups', 'edit', A, '-d', 'name=x', '--reason', 'the new season'];
    for (const ran of [await home.run([...line, '--dry-run']), await home.run(line)]) {
      expect(ran.code).toBe(0);
      expect(ran.stderr.match(/not sent to the service/g)).toHaveLength(1);
    }
    expect(service.requests).toHaveLength(1);
    const card = ['customer-groups', 'edit', A, '-d', 'name=y', '--reason', 'moved from 4111-1111-1111-1111'];
    expect((await home.run(card)).code).toBe(2);
    const [entry] = json<{ reason: string }[]>(await home.run(['history', 'list', '-o', 'json']));
    expect(entry?.reason).toBe('the new season');
  });

  it('takes the required reason from every command that writes', { tags: ['thorough'] }, async () => {
    const home = emptyHome();
    const ids = async (family: string, ...more: string[]) =>
      (await home.run(['-p', 'sandbox', family, 'list', '--limit', '1', '-o', 'ids', ...more])).stdout.trim();
    await home.run(['sandbox', 'reset', '--size', '300', '--live-data', 'empty', '--yes']);
    const lines = [
      ['customers', 'note', await ids('customers'), 'hello'],
      ['subscriptions', 'postpone', await ids('subscriptions', '--where', 'status=active'), '--by', '1mo'],
      ['products', 'copy', await ids('products'), '--to', 'sandbox:live'],
      ['setup', 'promote', 'sandbox:test', 'sandbox:live', 'customer-groups'],
    ];
    setPolicy(home, '  - {name: why, reason: true}');
    for (const line of lines) {
      const name = line.slice(0, 2).join(' ');
      expect((await home.run(['-p', 'sandbox', ...line, '--yes'])).code, name).toBe(12);
      const ran = await home.run(['-p', 'sandbox', ...line, '--yes', '--reason', `because of ${name}`]);
      expect(ran.code, `${name}: ${ran.stderr}`).toBe(0);
    }
    const kept = json<{ reason?: string; outcome: string }[]>(await home.run(['history', 'list', '-o', 'json']));
    const reasons = kept.filter(({ outcome }) => outcome === 'done').map(({ reason }) => reason);
    for (const line of lines) expect(reasons).toContain(`because of ${line.slice(0, 2).join(' ')}`);
  });

  it('checks a line as a shell would take it, and a part of a sum', async () => {
    const { service, home } = await pair(shop());
    setPolicy(home, '  - {name: small, most: {USD: 20}, reason: true}');
    const checked = async (...line: string[]) => {
      const ran = await home.run(['policy', 'check', ...line, '-o', 'json']);
      return json<object>(ran);
    };
    expect(await checked(`transactions refund ${A} --amount 5 --reason 'of three words'`)).toMatchObject({
      allowed: true,
      ids: [A],
      moves: ['5 USD'],
    });
    expect(await checked('transactions', 'refund', A, '--amount', '15%', '--reason', 'r')).toMatchObject({
      allowed: true,
      moves: ['15 USD'],
    });
    expect(await checked('transactions', 'refund', A, '--amount', '25%', '--reason', 'r')).toMatchObject({
      allowed: false,
      limit: 'most',
    });
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('limits one write by currency, and refuses a write of unknown amount', async () => {
    const { service, home } = await pair(shop());
    setPolicy(home, '  - {name: small, most: {USD: 20.00}}');
    expect((await home.run(refund(A, '20.01'))).code).toBe(12);
    expect((await home.run(['transactions', 'refund', A])).code).toBe(12);
    expect((await home.run(['subscriptions', 'renew', A])).stderr).toContain('is unknown before it is sent');
    expect((await home.run(refund(A, '20.00'))).code).toBe(0);
    setPolicy(home, '  - {name: euros, most: {EUR: 20}}');
    expect((await home.run(refund(B, '1'))).stderr).toContain('no limit for USD');
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('counts a day over commands: what is done and unknown counts, what was refused does not', async () => {
    let answer = wrote('item', A);
    const { home } = await pair(shop(() => answer));
    setPolicy(home, DAY_RULE);
    const clock = noon();
    answer = refusal(400);
    expect((await home.run(refund(A, '60'), { clock })).code).toBe(1);
    answer = { status: 500, body: 'gone' } as never;
    expect((await home.run(refund(A, '60', '--no-idempotency-key'), { clock })).code).toBe(9);
    answer = wrote('item', B);
    expect((await home.run(refund(B, '40'), { clock })).code).toBe(0);
    const stopped = await home.run(refund(C, '0.01'), { clock });
    expect(stopped.code).toBe(12);
    expect(stopped.stderr).toContain("today's total is 100.00 USD");
    const tomorrow = new QuickClock(Date.UTC(2026, 0, 16, 0, 0, 1));
    expect((await home.run(refund(C, '0.01'), { clock: tomorrow })).code).toBe(0);
  });

  it('takes the day of the named zone', async () => {
    const { home } = await pair(shop());
    setPolicy(home, DAY_RULE, 'America/New_York');
    expect((await home.run(refund(A, '100'), { clock: new QuickClock(Date.UTC(2026, 0, 15, 23)) })).code).toBe(0);
    expect((await home.run(refund(B, '1'), { clock: new QuickClock(Date.UTC(2026, 0, 16, 4, 59)) })).code).toBe(12);
    expect((await home.run(refund(B, '1'), { clock: new QuickClock(Date.UTC(2026, 0, 16, 5, 1)) })).code).toBe(0);
  });

  it('ends a bulk run at the limit, and continues the next day', async () => {
    const { service, home } = await pair(shop());
    setPolicy(home, DAY_RULE);
    const clock = noon();
    const ids = [A, B, C];
    const journal = path.join(home.env.COPS_DATA_DIR ?? '', 'run.jsonl');
    mkdirSync(path.dirname(journal), { recursive: true });
    const ran = await home.run(
      [
        'transactions',
        'refund',
        ...ids,
        '-d',
        'amount=40',
        '--yes',
        '--journal',
        journal,
        '--concurrency',
        '1',
        '-o',
        'json',
      ],
      { clock },
    );
    // Partly done: two rows were.
    expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('stopped by the policy')]);
    expect(errorOf(ran).message).toContain('stopped by the policy');
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
    const next = new QuickClock(Date.UTC(2026, 0, 16, 12));
    expect((await home.run(['bulk', 'resume', journal, '--yes', '--expect', '1'], { clock: next })).code).toBe(0);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('stops limited writes when the history is missing, cut or damaged', async () => {
    const { service, home } = await pair(shop());
    setPolicy(home, DAY_RULE);
    const clock = noon();
    expect((await home.run(refund(A, '10'), { clock })).code).toBe(0);
    const [name = ''] = readdirSync(historyOf(home)).filter((file) => file.endsWith('.jsonl'));
    const file = path.join(historyOf(home), name);
    const whole = readFileSync(file);
    const tried: [string, () => void][] = [
      ['is missing', () => rmSync(file)],
      ['is shorter', () => writeFileSync(file, whole.subarray(0, 40))],
      ['was changed', () => writeFileSync(file, Buffer.alloc(whole.length, 10))],
      ['damaged lines', () => appendFileSync(file, '\n{"type":"intent","id":\n')],
      ['incomplete', () => appendFileSync(file, '\n{"type":"int')],
    ];
    for (const [what, damage] of tried) {
      writeFileSync(file, whole);
      damage();
      const ran = await home.run(refund(B, '10'), { clock });
      expect([ran.code, ran.stderr], what).toEqual([12, expect.stringContaining(what)]);
    }
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('limits writes an hour and the hours of the day', async () => {
    const { home } = await pair(() => wrote('item', A));
    setPolicy(home, '  - {name: slow, writes_an_hour: 1, hours: "08:00-18:00"}');
    const edit = (id: string, at: number) =>
      home.run(['customer-groups', 'edit', id, '-d', 'name=x'], { clock: new QuickClock(at) });
    expect((await edit(A, Date.UTC(2026, 0, 15, 7, 59))).code).toBe(12);
    expect((await edit(A, Date.UTC(2026, 0, 15, 8, 0))).code).toBe(0);
    expect((await edit(B, Date.UTC(2026, 0, 15, 8, 59))).stderr).toContain('writes an hour');
    expect((await edit(B, Date.UTC(2026, 0, 15, 9, 1))).code).toBe(0);
    expect((await edit(C, Date.UTC(2026, 0, 15, 18, 30))).code).toBe(12);
  });

  it('lets nothing pass on the named days of the zone, of the named writes', async () => {
    const { home } = await pair(() => wrote('item', A));
    const line = ['policy', 'add', '--operations', 'edit', '--never-on', 'saturday,sunday', '--name', 'weekend'];
    expect((await home.run(line)).code).toBe(0);
    const edit = (id: string, at: number) =>
      home.run(['customer-groups', 'edit', id, '-d', 'name=x', '-o', 'json'], { clock: new QuickClock(at) });
    const saturday = await edit(A, Date.UTC(2026, 0, 17, 0, 0));
    expect(saturday.code).toBe(12);
    expect(errorOf(saturday)).toMatchObject({ limit: 'never_on' });
    expect((await edit(A, Date.UTC(2026, 0, 18, 23, 59))).code).toBe(12);
    expect((await edit(A, Date.UTC(2026, 0, 19, 0, 0))).code).toBe(0);
    const both = await home.run(['policy', 'add', '--never', 'refund', '--never-on', 'sunday']);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('cops policy add --operations refund --never-on sunday');
  });

  it('a rule takes all that the file has: profiles, a reason, what goes alone, days as people write them', async () => {
    const { home } = await pair(() => wrote('item', A));
    const line = ['--operations', 'edit', '--never-on', 'Friday-Sunday,Wed', '--reason', '--profiles', 'acme,shop'];
    expect((await home.run(['policy', 'add', ...line, '--alone', 'customer-groups edit'])).code).toBe(0);
    const { rules } = json(await home.run(['policy', 'show'])) as { rules: Record<string, unknown>[] };
    expect(rules[0]).toMatchObject({
      profiles: ['acme', 'shop'],
      reason: true,
      alone: ['customer-groups edit'],
      never_on: ['friday', 'saturday', 'sunday', 'wednesday'],
    });
    const odd = await home.run(['policy', 'add', '--never-on', 'someday', '-o', 'json']);
    expect([odd.code, (await home.run(['policy', 'show'])).stdout.includes('someday')]).toEqual([2, false]);
    const { RULE_FIELDS } = await import('../../src/account/policy/rule-fields.js');
    expect(RULE_FIELDS.filter(({ option }) => option === undefined)).toEqual([]);
  });

  it('check names every limit that stops the write', async () => {
    const { home } = await pair(() => wrote('item', A));
    setPolicy(home, '  - {name: one, never: [customer-groups edit], reason: true}\n  - {name: two, only: [sales]}');
    const ran = await home.run(['policy', 'check', 'customer-groups', 'edit', A, '-d', 'name=x']);
    expect(ran.code).toBe(12);
    const limits = [
      ['one', 'never'],
      ['one', 'reason'],
      ['two', 'only'],
    ];
    expect(json(ran)).toMatchObject({ rule: 'one', stops: limits.map(([rule, limit]) => ({ rule, limit })) });
  });

  it('takes an action of all families in the file as on the line', async () => {
    const { home } = await pair(() => wrote('item', A));
    setPolicy(home, '  - {name: none, never: [refund]}');
    const { rules } = json(await home.run(['policy', 'show'])) as { rules: { never: string[] }[] };
    expect(rules[0]?.never).toContain('sales void');
    expect((await home.run(['sales', 'void', A, '--yes'])).code).toBe(12);
  });

  it('distinguishes agents from people', async () => {
    const { home } = await pair(() => wrote('item', A));
    setPolicy(home, '  - {name: agents, who: [agent], only: []}');
    expect((await home.run(['customer-groups', 'edit', A, '-d', 'name=x'])).code).toBe(0);
    const env = { COPS_WHO: 'agent' };
    expect((await home.run(['customer-groups', 'edit', B, '-d', 'name=x'], { env })).code).toBe(12);
    expect((await home.run(['policy', 'edit', '--file', '-'], { env, input: 'zone: UTC\nrules: []\n' })).code).toBe(12);
    expect((await home.run(['customer-groups', 'edit', B, '-d', 'name=x'], { env: { COPS_WHO: 'root' } })).code).toBe(
      2,
    );
  });

  it('writes nothing under rules that cannot be read', async () => {
    const { service, home } = await pair(() => wrote('item', A));
    for (const rules of [
      '  - {name: x, nevr: [customer-groups]}',
      '  - {never: [campaings]}',
      '  - [',
      '  - {most: {USD: -1}}',
    ]) {
      setPolicy(home, rules);
      expect((await home.run(['customer-groups', 'edit', A, '-d', 'name=x'])).code, rules).toBe(11);
    }
    expect(service.requests).toEqual([]);
  });

  it('is checked, shown and edited', async () => {
    const { service, home } = await pair(shop());
    const rules = 'zone: UTC\nrules:\n  - {name: small, most: {USD: 20}}\n';
    expect((await home.run(['policy', 'edit', '--file', '-'], { input: rules })).code).toBe(0);
    expect((await home.run(['policy', 'edit', '--file', '-'], { input: 'rules: 7' })).code).toBe(11);
    const shown = await home.run(['policy', 'show', '-o', 'json']);
    expect(json(shown)).toMatchObject({ zone: 'UTC', rules: [{ name: 'small', most: { USD: '20.00' } }] });
    expect(shown.stderr).toContain('A rail, not a wall');
    const no = await home.run(['policy', 'check', ...refund(A, '21'), '-o', 'json']);
    expect([no.code, json(no)]).toMatchObject([12, { allowed: false, rule: 'small', limit: 'most' }]);
    const yes = await home.run(['policy', 'check', `transactions refund ${A} -d amount=19`, '-o', 'json']);
    expect([yes.code, json(yes)]).toMatchObject([0, { allowed: true, moves: ['19 USD'] }]);
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect((await home.run(['policy', 'check', 'nothing', 'here'])).code).toBe(2);
    const strange = await home.run([
      'policy',
      'check',
      'fraud-detections',
      'create',
      '-d',
      'sale_id=X',
      '-d',
      'void=true',
    ]);
    expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining('so nothing was judged')]);
  });
});

describe('cops policy add', () => {
  it('adds rules after the existing ones, and they hold', async () => {
    const { home } = await pair(() => ok({ id: A, live_mode: false, amount_total: 500, iso_currency: 'USD' }));
    const first = await home.run(['policy', 'add', '--operations', 'refund', '--most', '100 USD', '-o', 'json']);
    expect(first.code, first.stderr).toBe(0);
    const second = await home.run([
      'policy',
      'add',
      '--never',
      'subscriptions cancel',
      '--name',
      'no end',
      '-o',
      'json',
    ]);
    expect(second.code, second.stderr).toBe(0);
    const { rules } = json<{ rules: { name: string; operations?: string[]; never?: string[] }[] }>(second);
    expect(rules.map(({ name }) => name)).toEqual(['rule 1', 'no end']);
    expect(rules[0]?.operations).toEqual(expect.arrayContaining(['transactions refund', 'sales void']));
    const check = (...line: string[]) => home.run(['policy', 'check', ...line, '-o', 'json']);
    expect((await check('transactions', 'refund', A, '-d', 'amount=101')).code).toBe(12);
    expect((await check('transactions', 'refund', A, '-d', 'amount=99')).code).toBe(0);
    expect((await check('subscriptions', 'cancel', A)).code).toBe(12);
  });

  it('lets nothing but the named kinds of write pass, for agents as well as for all', async () => {
    const { home } = await pair(() => ok({ id: A, live_mode: false, amount_total: 500, iso_currency: 'USD' }));
    const words = ['policy', 'add', '--only', 'refund', '--most', '20 USD', '--name', 'refunds alone', '-o', 'json'];
    expect(json(await home.run(words))).toMatchObject({
      rules: [{ only: expect.arrayContaining(['transactions refund']) }],
    });
    const check = (...line: string[]) => home.run(['policy', 'check', ...line, '-o', 'json']);
    expect((await check('transactions', 'refund', A, '-d', 'amount=19')).code).toBe(0);
    expect((await check('transactions', 'refund', A, '-d', 'amount=21')).code).toBe(12);
    const other = await check('products', 'edit', A, '-d', 'name=X');
    expect([other.code, other.stderr]).toEqual([12, expect.stringContaining('not products edit')]);
  });

  it.each([
    [[], /which writes are forbidden\?/],
    [['--most', '100'], /not an amount with its currency/],
    [['--never', 'nothing here'], /nothing here/],
  ] as const)('keeps nothing of %j', async (options, message) => {
    const { home } = await pair(() => ok());
    const ran = await home.run(['policy', 'add', ...options]);
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toMatch(message);
    expect(json<{ rules: unknown[] }>(await home.run(['policy', 'show', '-o', 'json'])).rules).toEqual([]);
  });

  it('says which older rule still forbids what a new one allows, with the line that works', async () => {
    const { home } = await pair(() => ok({ id: A, live_mode: false, amount_total: 500, iso_currency: 'GBP' }));
    const add = (...options: string[]) => home.run(['policy', 'add', ...options]);
    const check = () => home.run(['policy', 'check', 'transactions', 'refund', A, '-d', 'amount=1', '-o', 'json']);
    const first = await add('--operations', 'refund', '--most', '100 USD');
    expect(first.stderr).toContain('a second rule does not change that');
    const second = await add('--operations', 'refund', '--most', '80 GBP');
    expect((await check()).code).toBe(12);
    expect(second.stderr).toContain('Rule "rule 1" still forbids GBP.');
    expect(second.stderr).toContain('Rule "rule 2" still forbids USD.');
    const line = /cops (policy remove 'rule 1') && cops (policy remove 'rule 2') && cops (.*)$/m.exec(second.stderr);
    expect(line?.[3]).toBe("policy add --operations refund --most '100 USD' --most '80 GBP'");
    for (const words of line?.slice(1) ?? []) {
      const ran = await home.run([...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, text, word]) => text ?? word ?? ''));
      expect(ran.code, ran.stderr).toBe(0);
    }
    expect((await check()).code).toBe(0);
  });

  it('lets a dry run pass where the ledger is away, and says that it was not checked in full', async () => {
    const { home } = await pair(() => ok({ id: A }));
    await home.run(['policy', 'add', '--operations', 'refund', '--most', '100 USD']);
    const env = { COPS_LEDGER: 'postgres://cops:secret@127.0.0.1:1/cops' };
    const ran = await home.run(['transactions', 'refund', A, '--dry-run'], { env });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('was not checked in full');
    expect((await home.run(['transactions', 'refund', A, '--yes'], { env })).code).toBe(12);
  });

  it('keeps what is never written in the lines it proposes', async () => {
    const { home } = await pair(() => ok({ id: A }));
    const add = (...options: string[]) => home.run(['policy', 'add', ...options]);
    const SALES = ['--operations', 'sales', '--never', 'sales void', '--reason'];
    await add(...SALES, '--most', '100 USD');
    const second = await add(...SALES, '--most', '80 GBP');
    expect(second.stderr).toMatch(/&& cops policy add --operations sales .*--never 'sales void' .*--most '80 GBP'/);
    const outside = await add(...SALES, '--only', 'sales', '--only', 'customers');
    expect(outside.code).toBe(2);
    expect(outside.stderr).toMatch(/policy add --operations sales [^&]*--never 'sales void'[^&]* && /);
    await home.run(['policy', 'remove', 'rule 1']);
    await home.run(['policy', 'remove', 'rule 2']);
    const NOTHING = ['--profiles', 'shop', '--never', '--most'];
    await add(...NOTHING, '100 USD');
    expect((await add(...NOTHING, '80 GBP')).stderr).toMatch(/&& cops policy add --never --profiles shop .*'80 GBP'/);
  });

  it('gives the lines for further currencies and for a day, and adds no rule twice', async () => {
    const { home } = await pair(() => ok({ id: A, live_mode: false, amount_total: 500, iso_currency: 'GBP' }));
    const add = (...options: string[]) => home.run(['policy', 'add', '--operations', 'refund', ...options]);
    const first = await add('--most', '100 USD');
    const whole = "cops policy remove 'rule 1' && cops policy add --operations refund --most '100 USD' --most";
    expect(first.stderr).toContain('with an amount for each: --most "100 USD" --most "..."\n');
    expect(first.stderr).toContain("too: cops policy add --operations refund --most-a-day '100 USD'\n");
    const again = await add('--most', '100 USD', '--name', 'twice');
    expect(again.stderr).toContain('Rule "rule 1" already says this: nothing was added.');
    expect(json<{ rules: unknown[] }>(await home.run(['policy', 'show', '-o', 'json'])).rules).toHaveLength(1);
    await home.run(['policy', 'remove', 'rule 1']);
    await add('--most-a-day', '10 GBP');
    const refund = await home.run(['transactions', 'refund', A, '-d', 'amount=1', '--yes']);
    expect(refund.code, refund.stderr).toBe(0);
    await home.run(['policy', 'remove', 'rule 1']);
    expect((await add('--most', '100 USD')).stderr).toContain(`${whole} '100 GBP'\n`);
  });

  it('names no older rule that speaks of other writes, or of the same currencies', async () => {
    const { home } = await pair(() => ok());
    const add = (...options: string[]) => home.run(['policy', 'add', ...options]);
    await add('--operations', 'sales void', '--most', '100 USD');
    expect((await add('--operations', 'tax refund', '--most', '80 GBP')).stderr).not.toContain('still lets nothing');
    expect((await add('--operations', 'sales', '--most', '50 USD')).stderr).not.toContain('still lets nothing');
    const wider = await add('--operations', 'sales', '--most-a-day', '80 GBP', '--name', 'wide');
    expect(wider.stderr).toContain('one rule for these currencies: cops policy edit');
  });

  it('reads operations that are never written as what is never written', async () => {
    const { home } = await pair(() => ok());
    const ran = await home.run(['policy', 'add', '--operations', 'sales void', '--never', '-o', 'json']);
    expect(ran.code).toBe(2);
    expect(errorOf(ran).hint).toBe("Write it as: cops policy add --never 'sales void'");
    expect((await home.run(['policy', 'add', '--never', 'sales void'])).code).toBe(0);
  });
});

describe('a rule for profiles that are not here', () => {
  const RULES = '  - {name: theirs, profiles: [acme-prod], never: [transactions refund]}';
  const SHARED = '  - {name: shared, profiles: [acme-prod, env], writes_an_hour: 50}';

  it.each([
    ['a write', refund(A, '5', '--yes')],
    ['a bulk run', ['transactions', 'refund', A, B, '-d', 'amount=5', '--yes']],
    ['policy check', ['policy', 'check', ...refund(A, '5')]],
    ['policy show', ['policy', 'show']],
    ['policy add', ['policy', 'add', '--never', 'sales void', '--name', 'more']],
  ])('is named by %s, which it does not stop', async (_what, line) => {
    const { home } = await pair(shop());
    setPolicy(home, `${RULES}\n${SHARED}`);
    const ran = await home.run(line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/"theirs".*acme-prod.*guards nothing/);
    expect(ran.stderr).toMatch(/"shared".*acme-prod\)\.$/m);
  });

  it('is not said of profiles that are here, nor of reads', async () => {
    const { home } = await pair(shop());
    setPolicy(home, '  - {name: ours, profiles: [env, sandbox], writes_an_hour: 50}');
    expect((await home.run(refund(A, '5', '--yes'))).stderr).not.toContain('names profiles');
    setPolicy(home, RULES);
    expect((await home.run(['transactions', 'get', A])).stderr).not.toContain('names profiles');
  });
});
