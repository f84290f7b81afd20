import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// A child may be of another kind than Node: then nobody tells.
const TELL = `process.on('exit',()=>{const u=process.resourceUsage();console.error('used '+[u.userCPUTime+u.systemCPUTime,u.maxRSS])})`;

/** Runs a process to its end: its seconds, those of the processor in all its threads, its peak memory in MB, what it said. */
export async function measured(command, args, env) {
  const began = performance.now();
  const flags = command === process.execPath ? ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`] : [];
  const child = spawn(command, [...flags, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', (piece) => {
      said[name] += piece;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${said.stderr.slice(-500)}`);
  const [, cpu, kilobytes] = /used (\d+),(\d+)\n?$/.exec(said.stderr) ?? [];
  return {
    seconds: (performance.now() - began) / 1000,
    cpu: Number(cpu) / 1e6,
    megabytes: Math.round(Number(kilobytes) / 1024),
    out: said.stdout,
  };
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Starts a server of this folder, which says its port in its first line. */
export async function served(file, ...words) {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [program, ...words.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(createInterface(child.stdout), 'line');
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
