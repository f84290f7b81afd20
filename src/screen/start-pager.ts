import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { PagerProcess } from '../base/world.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Starts a pager on this terminal; undefined when its program is not to be found. A shell splits the command, because
 * it may hold arguments. Ctrl-C reaches the pager from the terminal; the shell in between lives through it.
 */
export function startPager(command: string, own: Env, env: Env): PagerProcess | undefined {
  const isWindows = process.platform === 'win32';
  const [program = ''] = command.split(/\s+/);
  if (/^[\w./:\\-]+$/.test(program) && !isThere(program, env)) return undefined;
  const options = { env: { ...env, ...own }, stdio: ['pipe', 'inherit', 'inherit'] } satisfies Parameters<
    typeof spawn
  >[2];
  const child = isWindows
    ? spawn(command, { ...options, shell: true })
    : spawn('sh', ['-c', `trap : INT; ${command}`], options);
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
  return { input: child.stdin as NodeJS.WritableStream, ended, kill: () => void child.kill('SIGTERM') };
}

function isThere(program: string, env: Env): boolean {
  const endings = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE;.CMD').split(';')] : [''];
  const folders = /[\\/]/.test(program) ? [''] : (env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) =>
    endings.some((ending) => {
      try {
        accessSync(path.join(folder, program) + ending, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}
