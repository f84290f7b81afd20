import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { PagerProcess, World } from '../base/world.js';

/** What has a say in whether a pager is used, and which. */
export interface PagerChoice {
  /** False with `--no-pager`. */
  readonly pager: boolean;
  /** False with `--no-input`. */
  readonly input: boolean;
  readonly wide: boolean;
  /** The profile's setting. */
  readonly setting: string | undefined;
}

/** A pager as a shell would run it, and the variables that it gets beside its own. */
export interface PagerCommand {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where it was named, for what is said when it cannot be started; undefined for our own choice. */
  readonly source: string | undefined;
}

/** Words that stand for no pager. */
const NONE = new Set(['', 'cat', 'off', 'none', 'false', 'never']);

/** Set where a program reads instead of a person. */
const NOBODY_READS = ['CI', 'AI_AGENT', 'AGENT'];

/**
 * The pager for a long answer: `COPS_PAGER`, then the setting, then `PAGER`, then `less`; undefined where none is
 * wanted, or where nobody sits at the terminal.
 */
export function pagerCommand(
  { env, stdout }: Pick<World, 'env' | 'stdout'>,
  choice: PagerChoice,
): PagerCommand | undefined {
  if (!choice.pager || !choice.input || stdout.isTTY !== true || env.TERM === 'dumb') return undefined;
  if (NOBODY_READS.some((name) => isOn(env[name]))) return undefined;
  const named = [
    { command: env.COPS_PAGER, source: 'COPS_PAGER' },
    { command: choice.setting, source: 'the setting pager' },
    { command: env.PAGER, source: 'PAGER' },
  ].find(({ command }) => command !== undefined);
  const command = named?.command?.trim() ?? 'less';
  if (NONE.has(command)) return undefined;
  // As git does: less quits where all fits, leaves its text on the screen and shows colours, unless told otherwise.
  const own = { LESS: choice.wide ? 'FRSX' : 'FRX', LV: '-c' };
  const unset = Object.entries(own).filter(([name]) => env[name] === undefined);
  return { command, env: Object.fromEntries(unset), source: named?.source };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

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
