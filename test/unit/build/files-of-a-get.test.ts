/** @module-tag thorough */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { id, ok, startService } from '../../fixtures/service/service.js';
import { homeFor } from '../../harness/home.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MOST_FILES = 45;

interface Covered {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** The files of `src` of which a function ran; what a file does when it is loaded does not count. */
function filesThatRan(folder: string, out: string): string[] {
  const reports = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return reports
    .flatMap((text) => (JSON.parse(text) as Covered).result)
    .filter(({ url, functions }) => url.includes(`${out}/src/`) && functions.slice(1).some(ran))
    .map(({ url }) => url.slice(url.indexOf('/src/') + 5));
}

function ran({ ranges }: Covered['result'][number]['functions'][number]): boolean {
  return (ranges[0]?.count ?? 0) > 0;
}

it('can be followed: a get over the network runs code of few files', async () => {
  const service = await startService({ handler: () => ok({ id: id('C'), live_mode: false, email: 'jo@example.com' }) });
  const home = homeFor(service.baseUrl);
  const out = mkdtempSync(path.join(tmpdir(), 'cops-apart-'));
  try {
    const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    await build({
      entryPoints: sources.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => path.join(ROOT, 'src', name)),
      outdir: path.join(out, 'src'),
      outbase: path.join(ROOT, 'src'),
      format: 'esm',
      platform: 'node',
      define: { __VERSION__: '"0.0.0"' },
      logLevel: 'error',
    });
    writeFileSync(path.join(out, 'package.json'), '{"type":"module"}');
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(out, 'node_modules'), 'junction');
    writeFileSync(path.join(out, 'go.js'), "import { start } from './src/main.js'; start(process);");
    const folder = path.join(out, 'coverage');
    const env = { ...home.env, NODE_V8_COVERAGE: folder };
    const line = [path.join(out, 'go.js'), 'customers', 'get', id('C')];
    const { stdout } = await promisify(execFile)(process.execPath, line, { env });
    expect(stdout).toContain('jo@example.com');
    const files = filesThatRan(folder, path.basename(out));
    expect(files).toContain('service/http/client.js');
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES);
  } finally {
    await service.close();
    home.remove();
    rmSync(out, { recursive: true, force: true });
  }
});
