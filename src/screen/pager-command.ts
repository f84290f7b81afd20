import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { orElse } from '../base/errors/errors.js';
import type { PagerProcess, World } from '../base/world.js';

/** Everything that decides whether to use a pager, and which one. */
export interface PagerChoice {
  /** False with `--no-pager`. */
  readonly pager: boolean;
  /** False with `--no-input`. */
  readonly input: boolean;
  readonly wide: boolean;
  /** The profile's pager setting. */
  readonly setting: string | undefined;
}

/** Values that mean no pager. */
const NONE = new Set(['', 'cat', 'off', 'none', 'false', 'never']);

/** Set where a program, not a person, reads the output. */
const NOBODY_READS = ['CI', 'AI_AGENT', 'AGENT'];

/**
 * The pager for a long answer: `COPS_PAGER`, then the setting, then `PAGER`, then `less`; undefined where none is
 * wanted or nobody is at the terminal. `source`: where it was configured, for the message when it cannot start;
 * undefined for our own default.
 */
export function pagerCommand({ env, stdout }: Pick<World, 'env' | 'stdout'>, choice: PagerChoice) {
  if (!choice.pager || !choice.input || stdout.isTTY !== true || env.TERM === 'dumb') return undefined;
  if (NOBODY_READS.some((name) => isOn(env[name]))) return undefined;
  const named = [
    { command: env.COPS_PAGER, source: 'COPS_PAGER' },
    { command: choice.setting, source: 'the setting pager' },
    { command: env.PAGER, source: 'PAGER' },
  ].find(({ command }) => command !== undefined);
  const command = named?.command?.trim() ?? 'less';
  if (NONE.has(command)) return undefined;
  // Like git: by default less quits if everything fits, leaves its text on the screen and shows colours.
  const own = { LESS: choice.wide ? 'FRSX' : 'FRX', LV: '-c' };
  const unset = Object.entries(own).filter(([name]) => env[name] === undefined);
  return { command, env: Object.fromEntries(unset), source: named?.source };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Starts a pager on this terminal; resolves to undefined when its program is not found. A shell splits the command,
 * which may contain arguments. Ctrl-C reaches the pager from the terminal, and the shell in between survives it.
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
      return orElse(() => {
        accessSync(path.join(folder, program) + ending, constants.X_OK);
        return true;
      }, false);
    }),
  );
}
