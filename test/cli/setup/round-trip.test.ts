/** @module-tag sweep */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { json } from '../helpers.js';
import { filesOf, sandboxHome } from './helpers.js';

interface Item {
  readonly steps: readonly { readonly action: string; readonly key: string; readonly changes: readonly unknown[] }[];
  readonly drift: readonly unknown[];
  readonly summary: string;
}

describe('files of a set-up', () => {
  it('say what the service says: pull, pull and plan change nothing', async () => {
    const { setup, folder } = await sandboxHome();
    expect(await setup('pull', 's')).toMatchObject({ code: 0 });
    const first = filesOf(folder);
    expect(Object.keys(first).length).toBeGreaterThan(50);
    expect(json(await setup('pull', 's'))).toMatchObject({ written: 0 });
    expect(filesOf(folder)).toEqual(first);
    const plan = await setup('plan', 's');
    expect(plan).toMatchObject({ code: 0 });
    expect(json<Item>(plan)).toMatchObject({ steps: [], drift: [], summary: '0 to create, 0 to edit, 0 to delete' });
  });

  it('are restored by a pull where they are gone, under their names', async () => {
    const { setup, folder } = await sandboxHome();
    await setup('pull', 's');
    const first = filesOf(folder);
    const names = Object.keys(first);
    const referred = names.find((name) => name.endsWith('products/brew-scale.yaml')) ?? '';
    const text = names.find((name) => /email-templates.*\.html$/.test(name)) ?? '';
    const besides = names.find((name) => /functions.*\.js$/.test(name))?.replace(/\.js$/, '.yaml') ?? '';
    for (const name of [referred, text, besides]) rmSync(path.join(folder, name));
    expect((await setup('plan', 's')).code).toBe(2);
    const pulled = await setup('pull', 's');
    expect(pulled.code, pulled.stderr).toBe(0);
    expect(filesOf(folder)).toEqual(first);
  });

  it('change the service by plan and apply, and keep their comments', async () => {
    const { home, setup, folder } = await sandboxHome();
    await setup('pull', 's');
    const product = path.join(folder, 'products', 'gift-card.yaml');
    const text = readFileSync(product, 'utf8').replace('price: 25.00', 'price: 26.50 # the new price');
    writeFileSync(product, text);
    const plan = await setup('plan', 's');
    expect(plan.code).toBe(13);
    expect(json<Item>(plan).steps).toMatchObject([{ action: 'edit', key: 'Gift Card', changes: [{ field: 'price' }] }]);
    const applied = await setup('apply', 's', '--yes');
    expect(applied).toMatchObject({ code: 0 });
    expect(json(applied)).toMatchObject({ done: 1, steps: 1 });
    expect((await setup('plan', 's')).code).toBe(0);
    await setup('pull', 's');
    expect(readFileSync(product, 'utf8')).toBe(text);
    expect((await home.run(['history', 'list', '-o', 'json'])).stdout).toContain('products edit');
  });

  it('create an object with its code, disabled first and enabled at the end, its secret from the environment', async () => {
    const { home, setup, folder } = await sandboxHome();
    await setup('pull', 's', 'functions');
    writeFileSync(path.join(folder, 'functions', 'fresh.js'), 'callback("${secret}");\n');
    writeFileSync(
      path.join(folder, 'functions', 'fresh.yaml'),
      [
        'name: Fresh',
        'enabled: true',
        'event_source: api_direct',
        'function_code: {file: fresh.js}',
        'environment_variables:',
        '  - {name: TOKEN, encrypted: true, value: "${secret.env:TOKEN}"}',
      ].join('\n'),
    );
    const plan = await setup('plan', 's');
    expect(json<Item>(plan).steps.map(({ action }) => action)).toEqual(['create', 'edit', 'enable']);
    const words = ['-p', 'sandbox', 'setup', 'apply', 's', '--yes'];
    const applied = await home.run(words, { cwd: home.folder, env: { TOKEN: 'very-secret-9' } });
    expect(applied).toMatchObject({ code: 0 });
    const list = json<{ name: string; id: string }[]>(await home.run(['-p', 'sandbox', 'functions', 'list', '--all']));
    const made = list.filter(({ name }) => name === 'Fresh');
    expect(made).toHaveLength(1);
    const item = json(await home.run(['-p', 'sandbox', 'functions', 'get', made[0]?.id ?? '']));
    expect(item).toMatchObject({ enabled: true, function_code: 'callback("${secret}");\n' });
    expect((await setup('plan', 's')).code).toBe(0);
    const kept = Object.entries(filesOf(home.folder)).filter(([name]) => !name.includes('sandbox.sqlite'));
    expect(kept.filter(([, text]) => text.includes('very-secret-9')).map(([name]) => name)).toEqual([]);
  });
});

describe('the check of a folder', () => {
  it('names every fault with file, line and column, and sends nothing', async () => {
    const { setup, folder } = await sandboxHome();
    await setup('pull', 's', 'products', 'subscription-profiles', 'payment-profiles');
    const at = (name: string) => path.join(folder, name);
    appendFileSync(at('products/gift-card.yaml'), 'colour: red\n');
    writeFileSync(at('products/twin.yaml'), 'name: Gift Card\n');
    writeFileSync(at('products/none.yaml'), 'a: [b\n');
    writeFileSync(
      at('subscription-profiles/x.yaml'),
      'name: X\npayment_profile: {ref: payment-profiles/Nope}\ndescription: ${env.NOT_THERE}\n',
    );
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefg'[i]}`)}]`),
    ];
    writeFileSync(at('products/bomb.yaml'), bomb.join('\n'));
    const ran = await setup('check', 's');
    expect(ran.code).toBe(2);
    const said = ran.stderr;
    expect(said).toContain('products/gift-card.yaml:');
    expect(said).toContain('colour: is not a field');
    expect(said).toContain('${env.NOT_THERE} is not set');
    expect(said).toContain('products/twin.yaml:1:1: products/Gift Card is also in products/gift-card.yaml');
    expect(said).toContain('subscription-profiles/x.yaml:2:1: payment_profile: there is no payment-profiles/Nope');
    expect(said).toMatch(/products\/none\.yaml:\d+:\d+/);
    expect(said).toContain('products/bomb.yaml:1:1: it has more than');
    const planned = await setup('plan', 's');
    expect(planned.code).toBe(2);
    rmSync(at('products/bomb.yaml'));
  });
});
