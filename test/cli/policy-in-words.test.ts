/** @module-tag thorough */
/** Rules of the policy in words, by name, and what they forbid besides. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILY_INDEX } from '../../src/catalogue/index.js';
import { A, B, errorOf, home, json } from './helpers.js';

const SANDBOX = ['-p', 'sandbox'];

describe('a rule of the policy', () => {
  const policyOf = (made: ReturnType<typeof home>) => async () =>
    json<{ rules: { name: string }[] }>(await made.run(['policy', 'show', '-o', 'json'])).rules.map(({ name }) => name);

  it('says which money it forbids besides, and is removed by its name alone', async () => {
    const made = home();
    const names = policyOf(made);
    const added = await made.run(['policy', 'add', '--operations', 'refund', '--most', '100 USD']);
    expect(added.stderr).toContain('This rule forbids every currency except USD');
    await made.run(['policy', 'add', '--never', 'subscriptions cancel']);
    const checked = await made.run([...SANDBOX, 'policy', 'check', 'subscriptions', 'cancel', A, '-o', 'json']);
    expect(json<{ why: string }>(checked).why).toMatch(/^policy rule "rule 2": /);
    const first = await made.run(['policy', 'remove', 'rule 1', '-o', 'json']);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain('Removed "rule 1": 1 of 2 rules remain.');
    expect(await names()).toEqual(['rule 2']);
    await made.run(['policy', 'add', '--never', 'sales void']);
    expect(await names()).toEqual(['rule 2', 'rule 3']);
    for (const name of ['rule 2', 'rule 3']) expect((await made.run(['policy', 'remove', name])).code).toBe(0);
    expect(await names()).toEqual([]);
    expect((await made.run(['policy', 'add', '--never', 'sales void'])).code).toBe(0);
  });

  it('stays if the name is unknown, the file has another layout, or an agent asks', async () => {
    const made = home();
    mkdirSync(path.join(made.folder, 'config'), { recursive: true });
    writeFileSync(
      path.join(path.join(made.folder, 'config'), 'policy.yaml'),
      'zone: UTC\nrules: [{name: a, never: [sales void]}, {name: b, never: [sales void]}]\n',
    );
    expect(errorOf(await made.run(['policy', 'remove', 'c', '-o', 'json'])).hint).toBe('There is "a" or "b".');
    expect(errorOf(await made.run(['policy', 'remove', 'a', '-o', 'json'])).hint).toContain('cops policy edit');
    expect((await made.run(['policy', 'remove', 'a'], { env: { COPS_WHO: 'agent' } })).code).not.toBe(0);
    expect(await policyOf(made)()).toEqual(['a', 'b']);
  });
});

describe('the policy', () => {
  const rules = async (made: ReturnType<typeof home>) =>
    json<{ rules: Record<string, unknown>[] }>(await made.run(['policy', '-o', 'json'])).rules;

  it('takes a rule in words, and says as what', async () => {
    const made = home();
    const ran = await made.run(['policy', 'add', 'refunds', 'over', '100', 'USD']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("This is read as cops policy add --operations refunds --most '100 USD'.");
    const never = await made.run(['policy', 'add', 'subscriptions', 'cancel']);
    expect(never.stderr).toContain("This is read as cops policy add --never 'subscriptions cancel'.");
    expect(await rules(made)).toMatchObject([
      { operations: expect.arrayContaining(['transactions refund', 'sales void']), most: { USD: '100.00' } },
      { never: ['subscriptions cancel'] },
    ]);
    for (const words of [['blah', 'over', '5', 'USD'], ['blah'], ['refunds', '--never', 'sales void']])
      expect((await made.run(['policy', 'add', ...words])).code).toBe(2);
    expect(await rules(made)).toHaveLength(2);
  });

  it('names what does a forbidden write along with its own, until that is forbidden to all', async () => {
    const made = home();
    const add = (...more: string[]) => made.run(['policy', 'add', '--never', ...more]);
    const line = "To forbid that too: cops policy add --never 'sales void, trials cancel'";
    expect((await add('subscriptions cancel')).stderr.replace(/\s+/g, ' ')).toContain(line);
    expect((await add('sales void', '--who', 'agent')).stderr.replace(/\s+/g, ' ')).toContain(line);
    expect((await made.run(['policy', 'show'])).stderr.replace(/\s+/g, ' ')).toContain(line);
    expect((await add('sales void', '--never', 'trials')).stderr).not.toContain('as well');
  });

  it('forbids every write, and blames the line for what is no operation', async () => {
    const made = home();
    const refused = async (...line: string[]) => errorOf(await made.run(['policy', 'add', ...line, '-o', 'json']));
    expect((await refused('--never')).hint).toContain('cops policy add --never all');
    expect((await refused('--operations', 'sales', '--never')).hint).toContain('--never sales');
    expect(await refused('--never', 'sails')).toMatchObject({
      exit_code: 2,
      message: expect.stringContaining('sails'),
    });
    for (const line of [
      ['--modes', 'live', '--never'],
      ['--never', 'all'],
    ]) {
      const ran = await made.run(['policy', 'add', ...line]);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toContain(`It holds for all who use ${made.env.COPS_CONFIG_DIR}`);
    }
    expect(await rules(made)).toMatchObject([{ modes: ['live'], only: [] }, { only: [] }]);
    const sent = await made.run([...SANDBOX, 'customers', 'disable', A, '--yes', '--no-validate']);
    expect([sent.code, sent.stderr]).toEqual([12, expect.stringContaining('policy')]);
  });

  it('refuses a limit on what the rule is not about, with the rules that say it', async () => {
    const made = home();
    const line = ['--operations', 'refund', '--most', '50 EUR', '--most-a-day', '300 EUR'];
    const refused = await made.run(['policy', 'add', ...line, '--never', 'subscriptions cancel', '-o', 'json']);
    expect(errorOf(refused)).toMatchObject({
      exit_code: 2,
      message: expect.stringContaining('lies outside the rule, which covers only refund.'),
      hint: expect.stringContaining(
        "cops policy add --operations refund --most '50 EUR' --most-a-day '300 EUR' && cops policy add --never 'subscriptions cancel'",
      ),
    });
    const only = await made.run(['policy', 'add', ...line, '--only', 'subscriptions cancel', '-o', 'json']);
    expect(errorOf(only).hint).toContain("&& cops policy add --only 'subscriptions cancel' --only refund");
    expect(await rules(made)).toEqual([]);
    const both = await made.run(['policy', 'add', '--operations', 'transactions', '--never', 'refund']);
    expect(both.code, both.stderr).toBe(0);
    expect((await made.run(['policy', 'add', ...line])).stderr.match(/forbids every currency/g)).toHaveLength(1);
  });

  it('says that a limit in the file never applies', async () => {
    const made = home();
    const file = 'zone: UTC\nrules:\n  - {name: a, operations: [sales void], never: [subscriptions cancel]}\n';
    const edited = await made.run(['policy', 'edit', '--file', '-'], { input: file });
    expect(edited.stderr).toContain('Rule "a": never names subscriptions cancel');
    for (const line of [['show'], ['check', 'subscriptions', 'cancel', A]])
      expect((await made.run([...SANDBOX, 'policy', ...line])).stderr).toContain('so this has no effect');
  });

  it('says that an agent that types commands counts as a person', async () => {
    const made = home();
    const ran = await made.run(['policy', 'add', '--who', 'agent', '--never', 'all']);
    expect(ran.code, ran.stderr).toBe(0);
    const told = ran.stderr.replace(/\s+/g, ' ');
    expect(told).toContain('An agent that types commands counts as a person');
    expect(told).toContain('cops profiles edit <name> --read-only');
    expect(told).not.toContain('all who use');
    const sent = await made.run([...SANDBOX, 'customers', 'disable', A, '--yes'], { env: { COPS_WHO: 'agent' } });
    expect(sent.stderr).toContain('nothing may be written, so neither may customers disable');
  });

  it('covers with an action every write that ends with it', async () => {
    const made = home();
    const writes = FAMILY_INDEX.flatMap(({ command, actions }) =>
      actions.filter(({ risk }) => risk !== 'read').map(({ action }) => `${command} ${action}`),
    );
    const verbs = [...new Set(writes.map((one) => one.split(' ').at(-1) as string))].filter((one) => one !== 'refund');
    expect(verbs).toEqual(expect.arrayContaining(['delete', 'disable', 'create', 'edit', 'process', 'start']));
    for (const verb of verbs) {
      for (const option of ['--never', '--only', '--operations']) {
        const limits = option === '--operations' ? ['--writes-an-hour', '5'] : [];
        const name = `${option.slice(2)} ${verb}`;
        const ran = await made.run([
          'policy',
          'add',
          option,
          verb,
          ...limits,
          '--name',
          name,
          '--dry-run',
          '-o',
          'json',
        ]);
        expect(ran.code, name + ran.stderr).toBe(0);
        const rule = json<{ rules: Record<string, string[]>[] }>(ran).rules[0] ?? {};
        expect(rule[option.slice(2)]?.toSorted(), name).toEqual(
          writes.filter((one) => one.split(' ').at(-1) === verb).toSorted(),
        );
      }
    }
    await made.run(['policy', 'add', '--modes', 'live', '--never', 'delete']);
    const line = ['customers', 'payment-methods', 'delete', A, B, '--live', '--yes', '--no-validate'];
    expect((await made.run([...SANDBOX, ...line])).code).toBe(12);
  });

  it('warns of a kept rule that leaves out an action below a family, until one covers it', async () => {
    const made = home();
    const plain = FAMILY_INDEX.flatMap(({ command, actions }) =>
      actions.some(({ action }) => action === 'delete') ? [`${command} delete`] : [],
    );
    const file = `zone: UTC\nrules:\n  - {name: a, modes: [live], never: [${plain.join(', ')}]}\n`;
    await made.run(['policy', 'edit', '--file', '-'], { input: file });
    const cure = "cops policy add --modes live --never 'customers payment-methods delete, products images delete'";
    for (const line of [['policy', 'show'], ['doctor']]) {
      const ran = await made.run([...line, '-o', 'jsonl'], { env: { COLUMNS: '500' } });
      expect(ran.stdout + ran.stderr).toContain(cure);
      expect(ran.stdout.includes('"policy"')).toBe(line[0] === 'doctor');
    }
    const cured = 'customers payment-methods delete, products images delete';
    expect((await made.run(['policy', 'add', '--modes', 'live', '--never', cured])).code).toBe(0);
    expect((await made.run(['doctor', '-o', 'jsonl'])).stdout).not.toContain('"policy"');
  });

  it('says what an action takes in and what that does besides, and what a rule cannot name', async () => {
    const made = home();
    const ran = await made.run(['policy', 'add', '--who', 'agent', '--only', 'refund', '--most', '50 USD']);
    const told = ran.stderr.replace(/\s+/g, ' ');
    expect(told).toContain('"refund" means product-sales refund, sales void,');
    expect(told).toContain('sales void also does subscriptions cancel and trials cancel, and this rule allows that.');
    const again = /Without sales void: (cops policy remove .*?) && cops (policy add .*?USD')/.exec(told);
    expect(again?.[2]).toContain('--who agent');
    for (const line of [
      ['--never', 'subscriptions postpone'],
      ['subscriptions', 'postpone'],
    ]) {
      const refused = errorOf(await made.run(['policy', 'add', ...line, '-o', 'json']));
      expect(refused).toMatchObject({
        exit_code: 2,
        message: expect.stringContaining('is written as subscriptions edit'),
      });
      expect(refused.hint).toContain("cops policy add --never 'subscriptions edit'");
    }
  });

  it('leads from an option without its action to the action that takes it', async () => {
    const made = home();
    expect((await made.run(['policy', '--never', 'subscriptions cancel'])).stderr).toContain(
      `Did you mean "cops policy add --never 'subscriptions cancel'"?`,
    );
    expect((await made.run(['mcp', 'install'])).stderr).toContain('client: claude-code, claude-desktop');
  });
});
