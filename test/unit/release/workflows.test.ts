/** The files for a host of repositories are well-formed, and run what is there. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

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
