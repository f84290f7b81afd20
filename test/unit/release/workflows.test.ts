/** The files for a host of repositories are well-formed, and run what is there. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { home } from '../../cli/helpers.js';
import { FEW, laySandbox } from '../../harness/seeded.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const HOST = path.join(ROOT, '.github');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const files = readdirSync(HOST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yml'));

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

describe('files of the host', () => {
  it.each(files)('%s is well-formed', (name) => {
    expect(parse(readFileSync(path.join(HOST, name), 'utf8'))).toBeTypeOf('object');
  });

  it.each(files.filter((name) => name.startsWith('workflows')))('%s runs scripts that are there', (name) => {
    const { jobs } = parse(readFileSync(path.join(HOST, name), 'utf8')) as Workflow;
    const lines = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const named = lines.flatMap((line) => [...line.matchAll(/npm run (\S+)/g)].map(([, script]) => script ?? ''));
    const own = lines.flatMap((line) => [...line.matchAll(/(?:^|\s)(\.[\w/.-]+)/g)].map(([, file]) => file ?? ''));
    expect(named.length + own.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(scripts)).toContain(script);
    for (const file of own) {
      expect(existsSync(path.join(ROOT, file)), file).toBe(true);
      expect(statSync(path.join(ROOT, file)).mode & 0o111).not.toBe(0);
    }
  });
});

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly { readonly run: string; readonly env: object }[] };
}
const action = parse(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as Action;

describe('the action', () => {
  it('installs from the release that it is given, and puts the folder on the path', () => {
    const { folder } = home();
    const [step] = action.runs.steps;
    const place = path.join(folder, 'a b/bin');
    mkdirSync(path.join(folder, 'scripts/release'), { recursive: true });
    writeFileSync(path.join(folder, 'scripts/release/install.sh'), 'echo "$1 $2"\n');
    expect(existsSync(path.join(ROOT, 'scripts/release/install.sh'))).toBe(true);
    expect(step?.env).toEqual({
      RELEASE: '${{ inputs.release }}',
      FOLDER: '${{ inputs.folder }}',
      ACTION: '${{ github.action_path }}',
    });
    expect(step?.run).not.toContain('${{');
    const env = {
      PATH: process.env.PATH,
      RELEASE: 'https://shop.example.com/cops',
      FOLDER: place,
      ACTION: folder,
      GITHUB_PATH: path.join(folder, 'path'),
    };
    const { status, stdout } = spawnSync('sh', ['-e', '-c', step?.run ?? ''], { env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `https://shop.example.com/cops ${place}\n` });
    expect(readFileSync(path.join(folder, 'path'), 'utf8')).toBe(`${place}\n`);
  });
});

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

describe('the example of a set-up in continuous integration', () => {
  const page = readFileSync(path.join(ROOT, 'docs/setup.md'), 'utf8');
  const [, text = ''] = /^## In continuous integration$[\s\S]*?^```yaml\n([\s\S]*?)^```/m.exec(page) ?? [];
  const { jobs, env } = parse(text) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
    readonly env: object;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('gives the key to the lines that reach the account, and to no other', () => {
    expect(JSON.stringify(env)).not.toContain('secrets.');
    for (const { run, env: own } of steps) {
      const reaches = /^cops setup (?:plan|apply)\b/.test(run ?? '');
      expect(own?.COPS_API_KEY !== undefined, run).toBe(reaches);
    }
  });

  it('uses the action with inputs that it has', () => {
    const uses = steps.filter((step) => step.uses?.startsWith('owner/cops'));
    expect(uses).toHaveLength(Object.keys(jobs).length);
    for (const step of uses) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
      for (const [name, { required }] of Object.entries(action.inputs))
        if (required) expect(step.with).toHaveProperty(name);
    }
  });

  it('plans, plays scenarios and applies', { tags: ['thorough'] }, async () => {
    const user = home({ COPS_PROFILE: 'sandbox', COPS_MODE: 'live' });
    const cwd = path.join(user.folder, 'work');
    mkdirSync(cwd);
    await laySandbox(path.join(user.folder, 'data'), Date.now(), FEW);
    const run = (line: string) => user.run(line.split(' ').slice(1), { cwd });
    expect((await run('cops setup pull setup products')).code).toBe(0);
    const product = path.join(cwd, 'setup/products', readdirSync(path.join(cwd, 'setup/products'))[0] ?? '');
    mkdirSync(path.join(cwd, 'setup/tests'));
    const scenario = 'version: 1\nname: The products are there\nsteps:\n  - run: products list\n';
    writeFileSync(path.join(cwd, 'setup/tests/there.test.yaml'), scenario);
    writeFileSync(product, readFileSync(product, 'utf8').replace(/^description:.*$/m, 'description: changed'));
    const codes: (string | number | null)[][] = [];
    for (const { run: line } of steps) {
      if (!line?.startsWith('cops ')) continue;
      const { code, stderr } = await run(line.replace(/ >.*$/, ''));
      codes.push([line.split(' ').slice(1, 3).join(' '), code]);
      expect([0, 13], `${line}: ${stderr}`).toContain(code);
    }
    expect(codes).toEqual([
      ['setup check', 0],
      ['test setup/tests', 0],
      ['setup plan', 13],
      ['test setup/tests', 0],
      ['setup apply', 0],
      ['setup plan', 0],
    ]);
  });
});
