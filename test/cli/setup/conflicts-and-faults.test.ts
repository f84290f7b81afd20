/** @module-tag sweep */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeAfterTest } from '../../harness/closing.js';
import { errorOf, json, home as newHome } from '../helpers.js';
import { filesOf } from './helpers.js';
import { Served } from './served.js';

const LONG = process.env.COPS_LONG === '1';

/** A served account with a pulled folder of some families, and the words to change both. */
async function pulled(...families: readonly string[]) {
  const served = closeAfterTest(await Served.start());
  const home = newHome();
  const folder = path.join(home.folder, 's');
  served.home('test', home);
  const run = (...words: readonly string[]) =>
    home.run(['setup', ...words, '-o', 'json'], { cwd: home.folder, clock: served.clock, timeoutMs: 120_000 });
  expect(await run('pull', 's', ...families)).toMatchObject({ code: 0 });
  served.forget();
  const file = (name: string) => path.join(folder, name);
  const change = (name: string, from: string | RegExp, to: string) => {
    const text = readFileSync(file(name), 'utf8').replace(from, to);
    writeFileSync(file(name), text);
  };
  const item = (family: string, name: string) => {
    const found = served.store.all(family, false).find(({ value }) => value.name === name);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  };
  return { served, home, folder, run, file, change, item };
}

describe('two at once', () => {
  it('a foreign change between plan and write leaves that object out, and names it', async () => {
    const { served, run, change, item } = await pulled('bin-profiles');
    for (const name of ['north', 'south']) change(`bin-profiles/${name}.yaml`, 'an example', 'another');
    const south = item('bin_profiles', 'South');
    let reads = 0;
    served.fate = ({ method, path: place }) => {
      if (method !== 'GET' || place !== `/bin_profiles/${south.id}` || ++reads !== 2) return undefined;
      return { before: () => void served.store.update(item('bin_profiles', 'South'), { description: 'theirs' }, 1) };
    };
    const ran = await run('apply', 's', '--yes');
    expect(ran.code).toBe(10);
    expect(ran.stderr).toContain('Left out: edit bin-profiles/South: it was changed in the service after the plan');
    expect(json(ran)).toMatchObject({ done: 1, steps: 2, skipped: [{ step: 'edit bin-profiles/South' }] });
    expect(item('bin_profiles', 'South').value.description).toBe('theirs');
    expect(item('bin_profiles', 'North').value.description).toBe('North, another');
    expect(served.writes).toHaveLength(1);
  });

  it('a change right after the write is reported', async () => {
    const { served, run, change, item } = await pulled('bin-profiles');
    change('bin-profiles/north.yaml', 'an example', 'another');
    served.fate = ({ method }) =>
      method === 'GET'
        ? undefined
        : { done: () => void served.store.update(item('bin_profiles', 'North'), { description: 'theirs' }, 1) };
    const ran = await run('apply', 's', '--yes');
    expect(ran.code).toBe(10);
    expect(ran.stderr).toContain('bin-profiles/North: the service shows otherwise than it was sent: description');
  });

  it('a name that somebody else takes after the plan is not taken twice', async () => {
    const { served, run, file, item } = await pulled('bin-profiles');
    writeFileSync(file('bin-profiles/mine.yaml'), 'name: Mine\nbin_6: ["400005"]\n');
    let lists = 0;
    const { value } = item('bin_profiles', 'North');
    served.fate = ({ method, path: place }) => {
      if (method !== 'GET' || place !== '/bin_profiles' || ++lists !== 2) return undefined;
      const theirs = { ...value, id: 'THEIRSTHEIRSTHEIRS01', name: 'Mine' };
      return { before: () => void served.store.insert('bin_profiles', theirs, { live: false }) };
    };
    const ran = await run('apply', 's', '--yes');
    expect(ran.code).toBe(10);
    expect(ran.stderr).toContain('an object of this name exists: THEIRSTHEIRSTHEIRS01');
    expect(served.writes).toEqual([]);
  });

  it('a name that is taken at the same moment ends with exit code 10 and both ids', async () => {
    const { served, run, file, item } = await pulled('bin-profiles');
    writeFileSync(file('bin-profiles/mine.yaml'), 'name: Mine\nbin_6: ["400005"]\n');
    const { value } = item('bin_profiles', 'North');
    const theirs = { ...value, id: 'THEIRSTHEIRSTHEIRS01', name: 'Mine' };
    served.fate = ({ method }) =>
      method === 'GET'
        ? undefined
        : { before: () => void served.store.insert('bin_profiles', theirs, { live: false }) };
    const ran = await run('apply', 's', '--yes');
    expect(ran.code).toBe(10);
    const ours = served.store
      .all('bin_profiles', false)
      .find((one) => one.value.name === 'Mine' && one.id !== theirs.id);
    expect(ran.stderr).toContain('bin-profiles/Mine is there 2 times');
    for (const id of [theirs.id, ours?.id ?? '?']) expect(ran.stderr).toContain(id);
  });

  it('of one machine one goes, and the other sends nothing', { tags: ['process'] }, async () => {
    const { served, home, run, change } = await pulled('bin-profiles');
    change('bin-profiles/north.yaml', 'an example', 'another');
    const words = ['setup', 'apply', 's', '--yes', '-o', 'json'];
    let second: Promise<unknown> | undefined;
    let posts = 0;
    // The first one waits for its answer while the second one begins.
    served.hold = ({ method }) => {
      if (method === 'GET') return undefined;
      posts++;
      second ??= home.spawn(words, { cwd: home.folder }).then((ran) => {
        expect(ran.code).toBe(11);
        expect(errorOf(ran).message).toContain('The set-up of env:test');
      });
      return second;
    };
    expect(await run('apply', 's', '--yes')).toMatchObject({ code: 0 });
    await second;
    expect(second).toBeDefined();
    expect(posts).toBe(1);
  });
});

describe('what only looks', () => {
  it('sends nothing but GETs, whatever the files say', { timeout: 600_000 }, async () => {
    const { served, home, folder, run, change } = await pulled(
      'bin-profiles',
      'products',
      'product-groups',
      'url-parameter-sets',
    );
    const original = filesOf(folder);
    const names = Object.keys(original).filter((name) => name.includes('/'));
    const damage = fc.record({
      file: fc.constantFrom(...names),
      line: fc.nat(12),
      put: fc.oneof(
        fc.constantFrom('', 'name: North', 'enabled: false', 'price: -1', 'nothing: [', '_id: x', '_was: South'),
        fc.constantFrom('x: ${env.NOPE}', 'description: ${secret.cmd:touch ran}', 'products: [{ref: products/Nobody}]'),
        fc.string({ maxLength: 40 }),
      ),
    });
    const looks = [
      ['plan', 's'],
      ['plan', 's', '--allow-delete', '--overwrite-drift', '--shared'],
      ['plan', 's', '--markdown'],
      ['check', 's'],
      ['graph', 's'],
      ['pull', 'other'],
      ['import', 'products', 'Gift Card', '--folder', 'one'],
      ['apply', 's', '--dry-run', '--yes'],
      ['apply', 's', '--yes', '--expect-plan', 'nothin'],
    ];
    const codes = new Set<number | null>();
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { maxLength: 4 }), async (damages) => {
        for (const [name, text] of Object.entries(original)) writeFileSync(path.join(folder, name), text);
        // Each has its turn: with files that can be applied, in which something differs, and with damaged ones.
        change('bin-profiles/north.yaml', 'an example', 'another');
        const harm = turn < looks.length ? [] : damages;
        const words = looks[turn++ % looks.length] ?? [];
        for (const { file, line, put } of harm) {
          const lines = readFileSync(path.join(folder, file), 'utf8').split('\n');
          lines.splice(line, 1, put);
          writeFileSync(path.join(folder, file), lines.join('\n'));
        }
        const ran = await run(...words);
        codes.add(ran.code);
        expect([0, 2, 10, 12, 13], ran.stderr).toContain(ran.code);
        expect(served.writes).toEqual([]);
        expect(filesOf(home.folder)).not.toHaveProperty('ran');
      }),
      { numRuns: LONG ? 400 : 2 * looks.length, endOnFailure: true },
    );
    expect(codes.size).toBeGreaterThan(1);
  });

  it('compares two environments with GETs alone', async () => {
    const served = closeAfterTest(await Served.start());
    const home = newHome();
    for (const mode of ['test', 'live'] as const) {
      const { env } = served.home(mode, newHome());
      const key = [`--${mode}-key`, `env:KEY_${mode}`];
      const words = ['profiles', 'add', `one-${mode}`, '--base-url', env.COPS_BASE_URL ?? '', ...key];
      home.env[`KEY_${mode}`] = env.COPS_API_KEY ?? '';
      const ran = await home.run(words);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
    }
    served.forget();
    const ran = await home.run(['setup', 'diff', '--from', 'one-test:test', '--to', 'one-live:live', '-o', 'json']);
    expect(ran, ran.stderr).toMatchObject({ code: 13 });
    expect(served.seen.length).toBeGreaterThan(100);
    expect(served.writes).toEqual([]);
  });
});

describe('faults of files', () => {
  it('are all told at once with file, line and column, exit code 2, and nothing is sent', async () => {
    const { served, run, file, folder, home } = await pulled(
      'bin-profiles',
      'products',
      'email-templates',
      'key-values',
    );
    const put = (name: string, content: string | Uint8Array) => {
      mkdirSync(path.dirname(file(name)), { recursive: true });
      writeFileSync(file(name), content);
    };
    const wanted: string[] = [];
    const bad = (name: string, content: string | Uint8Array, told: string) => {
      put(name, content);
      wanted.push(`${name}${told}`);
    };
    bad(
      'bin-profiles/ref.yaml',
      'name: R\nbin_6: ["400000"]\ndescription: {ref: products/Nobody}\n',
      ':3:1: description: there is no products/Nobody in this folder',
    );
    bad('bin-profiles/twice.yaml', 'name: North\n', ':1:1: bin-profiles/North is also in bin-profiles/north.yaml');
    bad(
      'bin-profiles/unset.yaml',
      'name: U\n\ndescription: a ${env.NOT_SET} b\n',
      ':3:1: description: ${env.NOT_SET} is not set',
    );
    bad('bin-profiles/var.yaml', 'name: V\ndescription: ${var.none}\n', ':2:1: description: ${var.none} is not set');
    bad('bin-profiles/broken.yaml', 'name: [a\nb: }\n', ':2:');
    bad(
      'bin-profiles/field.yaml',
      'name: F\n  \nenabeld: true\n',
      ':3:1: enabeld: is not a field (did you mean enabled?)',
    );
    bad('bin-profiles/type.yaml', 'name: T\nenabled: perhaps\n', ':2:1: enabled: must be');
    bad('bin-profiles/same.yaml', 'name: S\nname: T\n', ':2:1: ');
    bad('bin-profiles/list.yaml', '- name: L\n', ':1:1: must contain an object');
    bad('bin-profiles/empty.yaml', '', ':1:1: must contain an object');
    bad('bin-profiles/nameless.yaml', 'enabled: true\n', ':1:1: has no name');
    bad('bin-profiles/two.yaml', 'name: A\n---\nname: B\n', ':2:1: ');
    bad('bin-profiles/control.yaml', 'name: "a\\e[31mb"\n', ':1:1: name: has control characters');
    bad('bin-profiles/binary.yaml', Buffer.from([0x6e, 0x61, 0, 1, 2, 0xff, 0xfe, 9, 9]), ':1:1: ');
    bad('bin-profiles/proto.yaml', 'name: P\n__proto__: {a: 1}\n', ':1:1: the name __proto__ is not allowed');
    bad('bin-profiles/with.dot.yaml', 'name: D\n', ':1:1: is named by no object');
    bad(
      'bin-profiles/deep.yaml',
      `name: N\ndescription: ${'['.repeat(500)}${']'.repeat(500)}\n`,
      ':1:1: it is nested deeper',
    );
    bad(
      'email-templates/outside.yaml',
      'name: O\ntemplate_html: {file: ../../secret}\n',
      ':2:1: template_html: file must name a file of the same folder',
    );
    bad(
      'email-templates/missing.yaml',
      'name: M\ntemplate_html: {file: nope.html}\n',
      ':2:1: template_html: "nope.html" cannot be read',
    );
    bad('key-values/key.yaml', 'key: not a key!\nvalue: "1"\n', ':1:1: key: ');
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...[...'bcdefgh'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefg'[i]}`)}]`),
    ];
    bad('products/bomb.yaml', bomb.join('\n'), ':1:1: it has more than');
    bad('products/huge.yaml', Buffer.alloc(17 * 1024 * 1024, 32), ':1:1: is larger than 16 MB');
    for (const [a, b] of [
      ['A', 'B'],
      ['B', 'A'],
    ] as const)
      put(`email-templates/cycle-${a}.yaml`, `name: Cycle ${a}\nsmtp_profile: {ref: email-templates/Cycle ${b}}\n`);
    writeFileSync(path.join(home.folder, 'secret'), 'name: Secret\n');
    symlinkSync(path.join(home.folder, 'secret'), file('bin-profiles/link.yaml'));
    wanted.push('bin-profiles/link.yaml:1:1: is a link that leads out of the set-up');
    symlinkSync('round.yaml', file('bin-profiles/round.yaml'));
    wanted.push('bin-profiles/round.yaml:1:1: cannot be read (ELOOP)');
    symlinkSync(path.join(home.folder, 'secret'), file('email-templates/stolen.html'));
    bad(
      'email-templates/stolen.yaml',
      'name: St\ntemplate_html: {file: stolen.html}\n',
      ':2:1: template_html: "stolen.html" is a link that leads out',
    );
    mkdirSync(path.join(folder, 'prodcts'));
    wanted.push('prodcts:1:1: is no family (did you mean products?)');
    appendFileSync(file('cops.setup.yaml'), 'colour: red\n');
    wanted.push('cops.setup.yaml:');
    served.forget();
    for (const words of [
      ['check', 's'],
      ['plan', 's'],
      ['apply', 's', '--yes'],
      ['pull', 's'],
    ]) {
      const ran = await run(...words);
      expect(ran.code).toBe(2);
      const lines = errorOf(ran)
        .message.split('\n')
        .map((line) => line.trim());
      // A pull restores missing files.
      for (const one of wanted.filter((fault) => words[0] !== 'pull' || !/there is no products|nope.html/.test(fault)))
        expect(
          lines.some((line) => line.startsWith(one)),
          `${one}\n${lines.join('\n')}`,
        ).toBe(true);
      expect(ran.stdout + ran.stderr).not.toContain('\u001b');
      expect(errorOf(ran).faults?.length).toBe(lines.length - 1);
    }
    expect(served.seen).toEqual([]);
  });

  it('are none in files with a byte order mark or other line ends, which say the same', async () => {
    const { run, file, served } = await pulled('bin-profiles', 'products');
    const name = file('bin-profiles/north.yaml');
    const text = readFileSync(name, 'utf8');
    writeFileSync(name, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    writeFileSync(
      file('bin-profiles/south.yaml'),
      Buffer.from(`\ufeff${readFileSync(file('bin-profiles/south.yaml'), 'utf8')}`, 'utf16le'),
    );
    expect(await run('plan', 's')).toMatchObject({ code: 0 });
    expect(await run('pull', 's')).toMatchObject({ code: 0 });
    expect(served.writes).toEqual([]);
  });

  it('are reported if they form a circle', async () => {
    const { run, file } = await pulled('bin-profiles');
    mkdirSync(file('customer-portals'));
    for (const [a, b] of [
      ['A', 'B'],
      ['B', 'A'],
    ] as const)
      writeFileSync(file(`customer-portals/${a}.yaml`), `name: ${a}\nsmtp_profile: {ref: customer-portals/${b}}\n`);
    const ran = await run('check', 's');
    expect(ran.code).toBe(2);
    expect(errorOf(ran).message).toContain('customer-portals/A → customer-portals/B → customer-portals/A');
  });

  it('hold up a pull that would write through a link', async () => {
    const { run, file, home } = await pulled('ai-prompts');
    const target = path.join(home.folder, 'not-yours');
    mkdirSync(target);
    symlinkSync(target, file('bin-profiles'));
    const ran = await run('pull', 's', 'bin-profiles');
    expect(ran.code).toBe(11);
    expect(errorOf(ran).message).toContain('it is a link that leads elsewhere');
    expect(readdirSync(target)).toEqual([]);
  });
});
