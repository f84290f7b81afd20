import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'vitest';
import { PROGRAM, ROOT } from '../cli/program.js';

/** Whether a program is installed on this machine. */
export function installed(tool: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Tests that need a tool; where it is missing they fail, so that no run counts as complete which never looked. */
export function describeWith(tool: string, name: string, tests: () => void): void {
  if (installed(tool)) describe(name, tests);
  else
    it(name, () => {
      throw new Error(`${tool} is not installed: .ci/run installs it`);
    });
}

export interface Session {
  readonly code: number;
  /** All that the terminal got, carriage returns taken out. */
  readonly screen: string;
}

export interface SessionOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly program?: readonly string[];
}

/** `[what to wait for, what to type then]`; keys as Tcl writes them (`\r`, `\003`). */
export type Step = readonly [string, string];

/** Runs a command line of the program on a terminal of its own, typing what the steps say. */
export function onTerminal(args: readonly string[], steps: readonly Step[], options: SessionOptions): Promise<Session> {
  const words = [...(options.program ?? [process.execPath, PROGRAM]), ...args].map(braced).join(' ');
  const script = [
    'set timeout 30',
    'match_max 200000',
    `set stty_init "rows 40 columns ${options.columns ?? 100}"`,
    `spawn -noecho ${words}`,
    ...steps.flatMap(([wait, type]) => [
      // The braces need lines of their own: on one line they are a pattern.
      'expect {',
      `-ex ${braced(wait)} {}`,
      `timeout { puts "\\nNEVER CAME: "; puts ${braced(wait)}; exit 97 }`,
      `eof { puts "\\nENDED BEFORE: "; puts ${braced(wait)}; exit 98 }`,
      '}',
      // Prompts take keys only once they are drawn whole.
      'sleep 0.2',
      `send -- "${type}"`,
    ]),
    'expect {',
    'eof {}',
    'timeout { exit 99 }',
    '}',
    'lassign [wait] pid id os code',
    'exit $code',
  ].join('\n');
  return new Promise((resolve, reject) => {
    const child = spawn('expect', ['-c', script], {
      cwd: ROOT,
      env: { TERM: 'xterm', ...options.env } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let screen = '';
    const add = (text: Buffer) => {
      screen += text.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, screen: screen.replaceAll('\r', '') }));
  });
}

/** Text without the sequences that colour and move. */
export function plain(screen: string): string {
  return screen.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}

function braced(word: string): string {
  if (/[{}\\]/.test(word)) throw new RangeError(`cannot be written in a script: ${word}`);
  return `{${word}}`;
}
