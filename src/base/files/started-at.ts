import { execFileSync } from 'node:child_process';
import { orElse } from '../errors/errors.js';

type Command = readonly [program: string, ...args: string[]];

/**
 * The command that prints when a process began where there is no `/proc`, in a form that Date parses in every language.
 */
const ASKED: Readonly<Record<string, (pid: number) => Command>> = {
  darwin: (pid) => ['/bin/ps', '-o', 'lstart=', '-p', String(pid)],
  // With its full path: a bare name is searched in the current folder first.
  win32: (pid) => [
    'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    ...['-NoProfile', '-NonInteractive', '-Command'],
    `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('yyyy-MM-dd HH:mm:ss')`,
  ],
};
const PATIENCE_MS = 5000;

/** When a process began, milliseconds; undefined where the system does not say. Slow: ask for few. */
export function startedAt(pid: number, system: string): number | undefined {
  const command = ASKED[system]?.(pid);
  if (command === undefined) return undefined;
  const [program, ...args] = command;
  return orElse(() => {
    const text = execFileSync(program, args, {
      env: { LC_ALL: 'C', TZ: 'UTC' },
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const moment = Date.parse(`${text.trim()} UTC`);
    return Number.isNaN(moment) ? undefined : moment;
  }, undefined);
}
