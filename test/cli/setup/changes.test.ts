/** @module-tag sweep */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { json } from '../helpers.js';
import { filesOf, sandboxHome } from './helpers.js';

interface Plan {
  readonly id: string;
  readonly steps: readonly {
    readonly action: string;
    readonly family: string;
    readonly key: string;
    readonly id?: string;
    readonly changes: readonly { readonly field: string; readonly from?: unknown; readonly to?: unknown }[];
  }[];
  readonly drift: readonly { readonly address: string; readonly kind: string }[];
  readonly notes: readonly string[];
  readonly shared: readonly string[];
  readonly summary: string;
}

interface Applied {
  readonly done: number;
  readonly steps: number;
  readonly drift: readonly string[];
}

/** A pulled folder with words for what tests do to it and to the service behind its back. */
async function pulled(...families: readonly string[]) {
  const { home, setup, folder } = await sandboxHome('--live-data', 'empty');
  expect(await setup('pull', 's', ...families)).toMatchObject({ code: 0 });
  const file = (name: string) => path.join(folder, name);
  const text = (name: string) => readFileSync(file(name), 'utf8');
  const write = (name: string, content: string) => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), content);
  };
  const service = (...words: readonly string[]) => home.run(['-p', 'sandbox', ...words, '--yes', '-o', 'json']);
  const items = async (family: string, ...more: readonly string[]) =>
    json<{ id: string; name: string; enabled?: boolean; price?: number }[]>(
      await home.run(['-p', 'sandbox', family, 'list', '--all', ...more, '-o', 'json']),
    );
  const idOf = async (family: string, name: string) =>
    (await items(family, '-q')).find((one) => one.name === name)?.id ?? 'none';
  return { home, setup, folder, file, text, write, service, items, idOf };
}

describe('drift', () => {
  it('is shown with exit code 13, kept by an apply, and overwritten only by name', async () => {
    const { setup, service, idOf, items } = await pulled('bin-profiles');
    const id = await idOf('bin-profiles', 'North');
    await service('bin-profiles', 'edit', id, '-d', 'description=changed there');
    const plan = await setup('plan', 's');
    expect(plan.code).toBe(13);
    expect(json<Plan>(plan)).toMatchObject({
      steps: [],
      drift: [{ address: 'bin-profiles/North', kind: 'changed there' }],
    });
    const applied = await setup('apply', 's', '--yes');
    expect(applied.code).toBe(10);
    expect(json<Applied>(applied)).toMatchObject({ done: 0, drift: ['bin-profiles/North'] });
    const over = await setup('apply', 's', '--yes', '--overwrite-drift');
    expect(over, over.stderr).toMatchObject({ code: 0 });
    expect(await items('bin-profiles')).toContainEqual(
      expect.objectContaining({ id, description: 'North, an example' }),
    );
  });

  it('is every difference where nothing is recorded of an object', async () => {
    const { setup, file, text, write } = await pulled('bin-profiles');
    rmSync(file('.cops/sandbox-test.json'));
    write('bin-profiles/north.yaml', text('bin-profiles/north.yaml').replace('North, an example', 'mine'));
    expect(json<Plan>(await setup('plan', 's'))).toMatchObject({
      steps: [],
      drift: [{ address: 'bin-profiles/North', kind: 'unknown' }],
    });
  });

  it('of one field does not hold up a change of another', async () => {
    const { setup, service, idOf, text, write } = await pulled('url-parameter-sets');
    const id = await idOf('url-parameter-sets', 'North');
    await service('url-parameter-sets', 'edit', id, '-d', 'description=changed there');
    const name = 'url-parameter-sets/north.yaml';
    write(name, text(name).replace('url_parameter: ref', 'url_parameter: via'));
    const applied = await setup('apply', 's', '--yes');
    expect(applied.code).toBe(10);
    expect(json<Applied>(applied)).toMatchObject({ done: 1, drift: ['url-parameter-sets/North'] });
  });
});

describe('deletions', () => {
  it('happen only where they are allowed, what refers to an object first', async () => {
    const { setup, file, items } = await pulled('product-groups', 'products');
    rmSync(file('product-groups/drinks.yaml'));
    rmSync(file('products/coffee-club.yaml'));
    const kept = json<Plan>(await setup('plan', 's'));
    expect(kept.steps).toEqual([]);
    expect(kept.notes.join('\n')).toContain('product-groups/Drinks: its file is gone, but it is kept (--allow-delete');
    const other = json<Plan>(await setup('plan', 's', '--allow-delete=bin-profiles'));
    expect(other.steps).toEqual([]);
    const plan = json<Plan>(await setup('plan', 's', '--allow-delete'));
    expect(plan.steps.map(({ action, family }) => `${action} ${family}`)).toEqual([
      'delete product-groups',
      'delete products',
    ]);
    const applied = await setup('apply', 's', '--allow-delete', '--yes');
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    expect((await items('product-groups')).map(({ name }) => name)).not.toContain('Drinks');
    expect((await setup('plan', 's')).code).toBe(0);
  });

  it('never touch what this folder did not make or pull', async () => {
    const { setup, service, items } = await pulled('bin-profiles');
    await service('bin-profiles', 'create', '-d', 'name=Theirs', '-d', 'bin_6[0]=400001');
    const plan = json<Plan>(await setup('plan', 's', '--allow-delete'));
    expect(plan.steps).toEqual([]);
    expect(await setup('apply', 's', '--allow-delete', '--yes')).toMatchObject({ code: 0 });
    expect((await items('bin-profiles')).map(({ name }) => name)).toContain('Theirs');
  });

  it('want the id of the plan typed in live mode, or --yes', async () => {
    const { home, setup, file } = await pulled('bin-profiles');
    await setup('promote', 'bin-profiles', '--from', 'sandbox:test', '--to', 'sandbox:live', '--yes');
    const live = (...words: readonly string[]) =>
      home.run(['-p', 'sandbox', '--live', 'setup', ...words, '-o', 'json'], { cwd: home.folder });
    await live('pull', 's');
    rmSync(file('bin-profiles/north.yaml'));
    const plan = json<Plan>(await live('plan', 's', '--allow-delete'));
    expect(plan.steps).toMatchObject([{ action: 'delete', key: 'North' }]);
    const refused = await home.run(['-p', 'sandbox', '--live', 'setup', 'apply', 's', '--allow-delete'], {
      cwd: home.folder,
    });
    expect(refused.code).toBe(12);
    const names = async () =>
      json<{ name: string }[]>(await home.run(['-p', 'sandbox', '--live', 'bin-profiles', 'list', '-o', 'json']));
    expect((await names()).map(({ name }) => name)).toContain('North');
    const words = ['-p', 'sandbox', '--live', 'setup', 'apply', 's', '--allow-delete'];
    const running = home.start(words, { cwd: home.folder, terminal: 100 });
    const question = `Type ${plan.id} to go ahead`;
    await expect.poll(running.stderr).toContain(question);
    running.type('y\r');
    running.signal('SIGINT');
    expect((await running.ended).code).not.toBe(0);
    expect((await names()).map(({ name }) => name)).toContain('North');
    const typed = home.start(words, { cwd: home.folder, terminal: 100 });
    await expect.poll(typed.stderr).toContain(question);
    typed.type(`${plan.id}\r`);
    const ran = await typed.ended;
    expect(ran.code, ran.stderr).toBe(0);
    expect((await names()).map(({ name }) => name)).not.toContain('North');
    // Where nobody is there to type, --yes says it, and reaches no further than the plan.
    rmSync(file('bin-profiles/south.yaml'));
    expect(await live('apply', 's', '--yes')).toMatchObject({ code: 0 });
    expect((await names()).map(({ name }) => name)).toContain('South');
    expect(await live('apply', 's', '--allow-delete', '--yes')).toMatchObject({ code: 0 });
    const left = (await names()).map(({ name }) => name);
    expect(left).not.toContain('South');
    expect(left.length).toBeGreaterThan(0);
  });

  it('of files: --prune takes away what is gone in the service, with the texts beside it', async () => {
    const { setup, service, idOf, folder } = await pulled('ai-prompts');
    await service('ai-prompts', 'delete', await idOf('ai-prompts', 'North prompt'));
    const kept = await setup('pull', 's', 'ai-prompts');
    expect(kept.stderr).toContain('ai-prompts/north-prompt.yaml: not in the service');
    expect(json(kept)).toMatchObject({ removed: 0, orphans: 1 });
    expect(json(await setup('pull', 's', 'ai-prompts', '--prune'))).toMatchObject({ removed: 2, orphans: 0 });
    const left = Object.keys(filesOf(folder)).filter((name) => name.includes('prompt'));
    expect(left.some((name) => name.includes('north-prompt'))).toBe(false);
    expect(left).toContain('ai-prompts/south-prompt.md');
    // Some things are known by a key instead of an id.
    expect(await setup('pull', 's', 'key-values')).toMatchObject({ code: 0 });
    expect(json(await setup('pull', 's', 'key-values', '--prune'))).toMatchObject({ removed: 0, orphans: 0 });
  });
});

describe('names', () => {
  it('change by _was: the object is renamed, not recreated', async () => {
    const { setup, text, write, items, idOf } = await pulled('bin-profiles');
    const id = await idOf('bin-profiles', 'North');
    write(
      'bin-profiles/north.yaml',
      text('bin-profiles/north.yaml').replace('name: North', 'name: Far North\n_was: North'),
    );
    const plan = json<Plan>(await setup('plan', 's'));
    expect(plan.steps).toMatchObject([
      { action: 'edit', key: 'Far North', changes: [{ field: 'name', from: 'North' }] },
    ]);
    const applied = await setup('apply', 's', '--yes');
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    expect((await items('bin-profiles')).filter((one) => one.name === 'Far North')).toMatchObject([{ id }]);
    expect((await setup('plan', 's')).code).toBe(0);
  });

  it('resolve by the new name of what is renamed and, while _was stands, by the old one', async () => {
    const { setup, text, write, idOf, items } = await pulled('coupons', 'coupon-profiles');
    const [own, referrer] = ['coupon-profiles/season.yaml', 'coupons/fiveoff.yaml'];
    const id = await idOf('coupon-profiles', 'Season');
    const [before, coupon] = [text(own), text(referrer)];
    const late = coupon.replace('coupon-profiles/Season', 'coupon-profiles/Late');
    const fresh = (name: string) =>
      write(
        'coupons/fresh.yaml',
        coupon.replace(/coupon-profiles\/\w+/, `coupon-profiles/${name}`).replaceAll('FIVEOFF', 'FRESH'),
      );
    write(own, before.replace('name: Season', 'name: Late\n_was: Season'));
    for (const content of [coupon, late]) {
      write(referrer, content);
      expect(await setup('check', 's')).toMatchObject({ code: 0 });
      // What refers to it has the same id before and after: the rename is the only step.
      const { steps, drift } = json<Plan>(await setup('plan', 's'));
      expect({ steps, drift }).toMatchObject({ steps: [{ action: 'edit', id, key: 'Late' }], drift: [] });
    }
    // A part of the set-up, before the rename is applied, writes its id.
    for (const name of ['Season', 'Late']) {
      fresh(name);
      expect(json<Plan>(await setup('plan', 's', 'coupons')).steps).toMatchObject([{ action: 'create', key: 'FRESH' }]);
    }
    const applied = await setup('apply', 's', '--yes');
    expect(applied, applied.stderr).toMatchObject({ code: 0, stderr: expect.not.stringContaining('not taken') });
    expect((await items('coupon-profiles')).filter((one) => one.id === id)).toMatchObject([{ name: 'Late' }]);
    for (const content of [coupon, late]) {
      write(referrer, content);
      expect(json<Plan>(await setup('plan', 's'))).toMatchObject({ steps: [], drift: [] });
    }
    // By its id alone, without _was, as well.
    write(own, before.replace('name: Season', `name: Later\n_id: ${id}`));
    write(referrer, coupon.replace('coupon-profiles/Season', 'coupon-profiles/Later'));
    for (const file of ['old2020', 'save10', 'fresh'])
      write(
        `coupons/${file}.yaml`,
        text(`coupons/${file}.yaml`).replace(/coupon-profiles\/\w+/, 'coupon-profiles/Later'),
      );
    expect(json<Plan>(await setup('plan', 's')).steps).toMatchObject([{ action: 'edit', id, key: 'Later' }]);
  });

  it('that two objects have are reported with both ids, until one is pinned for that environment', async () => {
    const { home, setup, service, text, write, items } = await pulled('bin-profiles');
    await service('bin-profiles', 'create', '-d', 'name=North', '-d', 'bin_6[0]=400002', '--again');
    const twins = (await items('bin-profiles')).filter(({ name }) => name === 'North').map(({ id }) => id);
    expect(twins).toHaveLength(2);
    for (const words of [
      ['plan', 's'],
      ['pull', 's'],
      ['apply', 's', '--yes'],
    ]) {
      const ran = await setup(...words);
      expect(ran.code).toBe(2);
      for (const id of twins) expect(ran.stderr).toContain(id);
    }
    const [, second = ''] = twins;
    const name = 'bin-profiles/north.yaml';
    write(
      name,
      text(name)
        .replace('North, an example', 'pinned')
        .replace('name: North', `_id: {"sandbox:test": ${second}}\nname: North`),
    );
    const plan = await setup('plan', 's', '--overwrite-drift');
    expect(json<Plan>(plan).steps).toMatchObject([{ action: 'edit', id: second }]);
    const history = async () => (await home.run(['history', 'list', '-o', 'json'])).stdout;
    expect(await setup('apply', 's', '--yes', '--overwrite-drift')).toMatchObject({ code: 0 });
    expect(await history()).toContain(second);
  });

  it('of a pinned id that is not there are a fault of the file', async () => {
    const { setup, text, write } = await pulled('bin-profiles');
    const name = 'bin-profiles/north.yaml';
    write(name, text(name).replace('name: North', 'name: North\n_id: AAAAAAAAAAAAAAAAAAAA'));
    const plan = await setup('plan', 's');
    expect(plan.code).toBe(2);
    expect(plan.stderr).toContain('bin-profiles/north.yaml:3:1');
    expect(plan.stderr).toContain('there is no bin-profiles AAAAAAAAAAAAAAAAAAAA');
  });
});

describe('plans that are kept', () => {
  it('are applied as they are, for their environment and as long as nothing changed', async () => {
    const { home, setup, service, text, write, idOf, file } = await pulled('bin-profiles');
    for (const name of ['north', 'south'])
      write(`bin-profiles/${name}.yaml`, text(`bin-profiles/${name}.yaml`).replace('an example', 'another'));
    const plan = await setup('plan', 's', '--out', 'plan.json');
    expect(plan.code).toBe(13);
    const kept = JSON.parse(readFileSync(path.join(home.folder, 'plan.json'), 'utf8')) as Plan;
    expect(kept.id).toBe(json<Plan>(plan).id);
    expect(await setup('apply', 'plan.json', '--yes', '--expect-plan', 'aaaaaa')).toMatchObject({ code: 12 });
    const other = await home.run(['-p', 'sandbox', '--live', 'setup', 'apply', 'plan.json', '--yes'], {
      cwd: home.folder,
    });
    expect(other.code).toBe(12);
    // The files do not count any more, the service does: what was changed there meanwhile is left out.
    write('bin-profiles/north.yaml', 'no yaml: [');
    await service('bin-profiles', 'edit', await idOf('bin-profiles', 'South'), '-d', 'description=theirs');
    const applied = await setup('apply', 'plan.json', '--yes', '--expect-plan', kept.id);
    expect(applied.code).toBe(10);
    expect(json(applied)).toMatchObject({
      done: 1,
      steps: 2,
      skipped: [{ step: 'edit bin-profiles/South', why: 'it was changed in the service after the plan was made' }],
    });
    rmSync(file('bin-profiles/north.yaml'));
  });
});

describe('a text next to an object', () => {
  it('is edited where it lies, and shown line by line', async () => {
    const { setup, text, write } = await pulled('email-templates', 'smtp-profiles');
    const name = 'email-templates/north-letter.html';
    write(name, text(name).replace('Paragraph 5', 'Paragraph five'));
    const plan = await setup('plan', 's', '-o', 'table');
    expect(plan.stdout).toContain('- <p>Paragraph 5 of {{customer.first_name}}</p>');
    expect(plan.stdout).toContain('+ <p>Paragraph five of {{customer.first_name}}</p>');
    const applied = await setup('apply', 's', '--yes');
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    expect(await setup('plan', 's')).toMatchObject({ code: 0 });
  });
});

describe('a step back', () => {
  it('is the file as it was, applied', async () => {
    const { setup, text, write, items } = await pulled('products');
    const name = 'products/gift-card.yaml';
    const before = text(name);
    const price = async () =>
      (await items('products', '--last', '1000d')).find((one) => one.name === 'Gift Card')?.price;
    write(name, before.replace('price: 25.00', 'price: 26.50'));
    expect(await setup('apply', 's', '--yes')).toMatchObject({ code: 0 });
    expect(await price()).toBe(26.5);
    write(name, before);
    const back = await setup('apply', 's', '--yes');
    expect(json<Applied>(back)).toMatchObject({ done: 1 });
    expect(await price()).toBe(25);
    expect((await setup('plan', 's')).code).toBe(0);
  });
});

describe('what both modes show', () => {
  it('is not written across modes without --shared', async () => {
    const { setup, text, write, file } = await pulled('bin-profiles');
    // As if the key of live mode had seen the same objects.
    const known = JSON.parse(readFileSync(file('.cops/sandbox-test.json'), 'utf8')) as object;
    writeFileSync(file('.cops/sandbox-live.json'), JSON.stringify({ ...known, mode: 'live' }));
    const name = 'bin-profiles/north.yaml';
    write(name, text(name).replace('an example', 'another'));
    const plan = await setup('plan', 's');
    expect(plan.code).toBe(13);
    expect(json<Plan>(plan)).toMatchObject({ steps: [], shared: ['bin-profiles/North'] });
    expect(json<Plan>(await setup('plan', 's', '--shared')).steps).toMatchObject([{ action: 'edit', key: 'North' }]);
  });
});

describe('small commands', () => {
  it('init makes a folder for people, editors and git, and leaves what is there', async () => {
    const { home, setup } = await sandboxHome();
    const first = await setup('init', 'fresh');
    expect(json(first)).toMatchObject({ made: ['cops.setup.yaml', '.gitignore', '.gitattributes'] });
    expect(first.stderr).toContain('setup pull fresh\n');
    expect((await setup('init', 'two words')).stderr).toContain("setup pull 'two words'\n");
    const own = path.join(home.folder, 'fresh', 'cops.setup.yaml');
    writeFileSync(own, 'version: 1\nfamilies: [products]\n');
    expect(json(await setup('init', 'fresh'))).toMatchObject({ made: [] });
    expect(readFileSync(own, 'utf8')).toContain('families: [products]');
    const schema = JSON.parse(
      readFileSync(path.join(home.folder, 'fresh/.cops/schema/products.json'), 'utf8'),
    ) as object;
    expect(schema).toMatchObject({ title: 'products', additionalProperties: false });
    const nothing = await setup('plan', 'fresh');
    expect(nothing).toMatchObject({ code: 0 });
  });

  it('graph shows all references, and everything that cannot be kept as files, with the reason', async () => {
    const { home, setup } = await pulled('product-groups', 'products');
    const table = await setup('graph', 's', '-o', 'json', '--verbose');
    expect(json<object[]>(table)).toContainEqual({
      from: 'product-groups/Drinks',
      to: 'products/Coffee Club',
      field: 'products.0',
    });
    for (const reason of [
      'metadata (entries are created with the pairs of items)',
      'campaigns (files can only refer to it',
      'products: images beyond the first (further images are added with cops',
    ])
      expect(table.stderr).toContain(`Not kept as files: ${reason}`);
    const dot = await setup('graph', 's', '-o', 'dot');
    expect(dot).toMatchObject({ code: 0 });
    expect(dot.stdout).toMatch(/^digraph setup \{\n {2}rankdir=LR;\n/);
    expect(dot.stdout).toContain('"product-groups/Drinks" -> "products/Coffee Club" [label="products.0"];');
    expect((await setup('graph', 's', '--dot')).stdout).toBe(dot.stdout);
    expect(json<object[]>(await setup('graph', '-o', 'json'))).toContainEqual({
      from: 'subscription-profiles',
      to: 'payment-profiles',
      field: 'payment_profile',
    });
    expect(await home.run(['products', 'list', '-o', 'dot'])).toMatchObject({ code: 2 });
  });

  it('import adds one object with what it refers to, and no other', async () => {
    const { setup, home } = await sandboxHome();
    const ran = await setup('import', 'subscription-profiles', 'Monthly', '--folder', 'one');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const names = Object.keys(filesOf(path.join(home.folder, 'one'))).filter((name) => name.includes('/'));
    expect(names.sort()).toEqual([
      'payment-profiles/standard-routing.payment_flow.yaml',
      'payment-profiles/standard-routing.yaml',
      'subscription-profiles/monthly.yaml',
      'user-gateways/backup-gateway.yaml',
      'user-gateways/main-gateway.yaml',
    ]);
    expect(await setup('plan', 'one')).toMatchObject({ code: 0 });
    expect(await setup('import', 'products', 'Nobody', '--folder', 'one')).toMatchObject({ code: 4 });
  });
});
