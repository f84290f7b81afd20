import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Shares smaller than this are not said. */
const LEAST = 0.015;

/** Says which functions the time of a run went to, thread by thread: shares of the time in which the thread was busy. */
export function sayProfile(name, folder, say) {
  for (const file of readdirSync(folder).sort()) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    const called = new Map(nodes.map((node) => [node.id, nameOf(node.callFrame)]));
    const spent = new Map();
    let busy = 0;
    for (const [i, sample] of samples.entries()) {
      const what = called.get(sample);
      if (what === '(idle)' || what === '(root)') continue;
      spent.set(what, (spent.get(what) ?? 0) + timeDeltas[i]);
      busy += timeDeltas[i];
    }
    const sorted = [...spent].sort((a, b) => b[1] - a[1]).filter(([, time]) => time / busy >= LEAST);
    say(
      `${name}, ${/\.(\d+)\.0\d\d\.cpuprofile$/.exec(file)?.[1] === '0' ? 'main thread' : 'thread'} ${(busy / 1e6).toFixed(2)} s: ` +
        sorted.map(([what, time]) => `${what} ${((100 * time) / busy).toFixed(0)} %`).join(', '),
    );
  }
}

function nameOf({ functionName, url }) {
  const file = path.basename(url).replace(/(-[\w-]{8})?\.m?js$/, '');
  if (functionName === '') return `a callback in ${file || 'Node'}`;
  return url.startsWith('file:') ? `${functionName} (${file})` : functionName;
}
