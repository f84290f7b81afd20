// Bundles src/main.ts into dist/. Builds next to the old output and swaps it in, so that a running cops never sees half
// a build.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleChunks, root } from './chunks.mjs';
import { recordCodeCache } from './code-cache.mjs';

const target = path.resolve(root, process.argv[2] ?? 'dist');
const fresh = `${target}.new-${process.pid}`;

const { chunks } = await bundleChunks({
  // The second entry runs in a thread (src/sandbox/automation/function-engine.ts).
  input: {
    main: path.join(root, 'src/main.ts'),
    'function-runner': path.join(root, 'src/sandbox/automation/runner.mjs'),
  },
  target: 'node20',
  define: { __FUNCTION_RUNNER_FILE__: '"./function-runner.js"' },
});
await rm(fresh, { recursive: true, force: true });
await mkdir(fresh, { recursive: true });
for (const { fileName, code } of chunks) await writeFile(path.join(fresh, fileName), code);
await writeFile(path.join(fresh, 'package.json'), '{"type":"commonjs"}\n');
await rm(`${target}.old`, { recursive: true, force: true });
await rename(target, `${target}.old`).catch(() => {});
await rename(fresh, target);
await rm(`${target}.old`, { recursive: true, force: true });

if (!process.argv[2]) {
  await recordCodeCache([process.execPath, path.join(root, 'bin/cops.js')], { COPS_RECORD_CODE_CACHE: '1' });
}
