/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FEW, laySandbox } from '../harness/seeded.js';
import { home as emptyHome } from './helpers.js';

/* cops functions run: a function's code in the sandbox's engine, offline. */

/** A home with a sandbox that was used before. */
async function home() {
  const made = emptyHome();
  await laySandbox(made.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
  return made;
}

async function withCode(code: string) {
  const made = await home();
  const folder = path.join(made.folder, 'work');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'function.js');
  writeFileSync(file, code);
  const run = (...more: string[]) =>
    made.run(['functions', 'run', file, '--event', 'sale.created', ...more, '-o', 'json']);
  return { made, run };
}

describe('cops functions run', () => {
  it('gives the code an event about the newest item, its variables and arguments', async () => {
    const { run } = await withCode(
      'console.warn("seen", event.item.id === event.item_id); callback(null, [event.notation, process.env.LEVEL, event.custom_arguments.days]);',
    );
    const ran = await run('--var', 'LEVEL=3=4', '--arg', 'days=7');
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual({
      outcome: 'success',
      result: ['sale.created', '3=4', '7'],
      logs: [{ level: 'warn', message: 'seen true' }],
    });
    expect(ran.stderr).toMatch(/The event is about sale \w{20}, the newest/);
  });

  it('takes the item that is named, and says where there is none', async () => {
    const { made, run } = await withCode('callback(null, event.item.id);');
    const listed = await made.run(['-p', 'sandbox', 'sales', 'list', '--last', '90d', '--limit', '3', '-o', 'ids']);
    const id = listed.stdout.trim().split('\n').at(-1) as string;
    expect(JSON.parse((await run('--item', id)).stdout).result).toBe(id);
    const none = await run('--item', 'A'.repeat(20));
    expect([none.code, none.stdout]).toEqual([4, '']);
    expect(none.stderr).toContain('no sale');
  });

  it('ends with 1 when the function fails, its logs in the data', async () => {
    const { run } = await withCode('console.log("before");\nthrow new Error("no stock");');
    const ran = await run();
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: 'error', result: null, logs: [{ message: 'before' }] });
    expect(ran.stderr).toContain('no stock (line 2)');
  });

  it('reads standard input', async () => {
    const ran = await (await home()).run(['functions', 'run', '-', '--event', 'customer.created', '-o', 'json'], {
      input: 'callback(null, event.item_type);',
    });
    expect([ran.code, JSON.parse(ran.stdout).result]).toEqual([0, 'customer']);
  });

  it.each([
    [['--event', 'sale.creatd'], /Did you mean sale.created/],
    [['--event', 'sale.updated'], /no event/],
    [['--event', 'sale.created', '--var', 'LEVEL'], /name=value/],
    [[], /--event/],
  ])('refuses %j', async (words, said) => {
    const ran = await (await home()).run(['functions', 'run', '-', ...words], { input: 'callback();' });
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(said);
  });

  it('names a file that is not there', async () => {
    const ran = await (await home()).run(['functions', 'run', 'none.js', '--event', 'sale.created']);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain('none.js');
  });
});
