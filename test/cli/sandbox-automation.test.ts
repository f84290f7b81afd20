/** @module-tag thorough */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { laySandbox, SOME } from '../harness/seeded.js';
import { home as emptyHome } from './helpers.js';

/* cops sandbox events, trigger, runs, outbox and answers: what the sandbox's automations did, and steering them. */

const json = (text: string) => JSON.parse(text);

/** A home with a sandbox that was used before. */
async function home() {
  const made = emptyHome();
  await laySandbox(made.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
  return made;
}

it('a clock that is interrupted on its way stands at what is due next', { tags: ['inside'] }, async () => {
  const made = await home();
  const running = made.start(['sandbox', 'clock', 'advance', '7000y']);
  await new Promise((resolve) => setTimeout(resolve, 500));
  running.signal('SIGINT');
  expect((await running.ended).code).toBe(130);
  const now = new Date(json((await made.run(['sandbox', 'clock', 'show', '-o', 'json'])).stdout).now);
  expect(now.getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(now.getFullYear()).toBeLessThan(9000);
});

describe('cops sandbox trigger and events', () => {
  it('make an event happen in test mode, and list it afterwards, general ones first', async () => {
    const made = await home();
    const ran = await made.run(['sandbox', 'trigger', 'sale.created.success.paid', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    const raised = json(ran.stdout).map(({ notation }: { notation: string }) => notation);
    expect(raised.slice(-3)).toEqual(['sale.created', 'sale.created.success', 'sale.created.success.paid']);
    const listed = await made.run(['sandbox', 'events', '--notation', 'sale.created.success', '-o', 'json']);
    expect(json(listed.stdout)).toMatchObject([
      { notation: 'sale.created.success', live_mode: false },
      { notation: 'sale.created.success.paid', item_id: json(ran.stdout).at(-1).item_id },
    ]);
    const outbox = await made.run(['sandbox', 'outbox', '--notation', 'sale', '-o', 'json']);
    expect(json(outbox.stdout)).toMatchObject([
      { status: 'sent', subject: 'Thank you', notation: 'sale.created.success' },
    ]);
  });

  it('in live mode when the line says so', async () => {
    const made = await home();
    const ran = await made.run(['sandbox', 'trigger', 'customer.created', '--live', '-o', 'json']);
    expect(json(ran.stdout)).toMatchObject([{ notation: 'customer.created', live_mode: true }]);
  });

  it('act on the item that is named', async () => {
    const made = await home();
    const active = ['--where', 'status=active', '--limit', '1', '-o', 'ids'];
    const listed = await made.run(['-p', 'sandbox', 'trials', 'list', '--last', '60d', ...active]);
    const id = listed.stdout.trim();
    const ran = await made.run(['sandbox', 'trigger', 'trial.updated.extended', '--item', id, '-o', 'json']);
    expect(json(ran.stdout)).toContainEqual(
      expect.objectContaining({ notation: 'trial.updated.extended', item_id: id }),
    );
  });

  it('are followed while another process makes them happen', { tags: ['process'] }, async () => {
    const made = await home();
    const followed = made.spawn(['sandbox', 'events', '--follow', '--last', '1h', '-o', 'jsonl'], {
      onStart: (child) => {
        child.stdout?.on('data', (text) => String(text).includes('customer.created') && child.kill('SIGINT'));
      },
    });
    await made.spawn(['sandbox', 'trigger', 'customer.created']);
    const { code, stdout } = await followed;
    expect(code).toBe(130);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => json(line).notation),
    ).toEqual(['customer.created']);
  });

  it('say that there is none, and where to look', async () => {
    const ran = await (await home()).run(['sandbox', 'events', '--last', '1h', '-o', 'json']);
    expect([ran.code, json(ran.stdout)]).toEqual([0, []]);
    expect(ran.stderr).toContain('No account event within 1h');
  });

  it.each([
    [['trigger', 'sale.creatd'], /Did you mean sale.created/, 2],
    [['trigger', 'sale.created', '--item', 'A'.repeat(20)], /no A{20} in customers/, 4],
    [['events', '--last', 'week'], /not a span/, 2],
  ])('refuse %j', async (words, said, code) => {
    const ran = await (await home()).run(['sandbox', ...words]);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr).toMatch(said);
  });
});

describe('cops sandbox runs', () => {
  it('show what a function gave and logged', async () => {
    const made = await home();
    const write = async (words: string[]) =>
      json((await made.run(['-p', 'sandbox', '--test', 'functions', ...words, '--yes', '-o', 'json'])).stdout);
    const { function_id: id } = await write(['create', '--name', 'Count']);
    const code = 'console.log("seen"); callback(null, 1);';
    const when = ['-d', 'event_source=account_event', '-d', 'account_event_notations[0]=customer.created'];
    await write(['edit', id, ...when, '-d', `function_code=${code}`]);
    await made.run(['sandbox', 'trigger', 'customer.created']);
    const runs = json((await made.run(['sandbox', 'runs', '-o', 'json'])).stdout);
    expect(runs).toMatchObject([
      { function: { name: 'Count' }, status: 'success', result: 1, logs: [{ message: 'seen' }] },
    ]);
  });
});

describe('cops sandbox answers', () => {
  it('are set from a file, shown, and cleared', async () => {
    const made = await home();
    const file = path.join(made.folder, 'answers.json');
    const answers = [{ message: 'refund', answer: 'Yes.', output: 1 }];
    writeFileSync(file, JSON.stringify(answers));
    expect(json((await made.run(['sandbox', 'answers', file, '-o', 'json'])).stdout)).toEqual({ answers });
    expect(json((await made.run(['sandbox', 'answers', '-o', 'json'])).stdout)).toEqual({ answers });
    expect(json((await made.run(['sandbox', 'answers', '--clear', '-o', 'json'])).stdout)).toEqual({ answers: [] });
  });

  it.each([
    ['{}', /must be a list/],
    ['[{"anser": "x"}]', /Answer 1: "anser" is unknown/],
    ['[{"actions": [{"path": "/sales"}]}]', /may not do/],
    ['no json', /not a script of answers/],
  ])('refuse %s', async (input, said) => {
    const ran = await (await home()).run(['sandbox', 'answers', '-'], { input });
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(said);
  });
});
