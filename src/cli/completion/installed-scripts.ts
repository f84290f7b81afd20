import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { local, orElse } from '../../base/errors/errors.js';
import { readOwnFile } from '../../base/files/read-file.js';
import type { Context } from '../../session/context/context.js';
import { SCRIPT_MARK } from './scripts.js';
import { SCRIPT_FILES, SHELLS, type Shell } from './shells.js';

/** The scripts that `install` wrote for any shell. */
export function installedScripts(context: Context): string[] {
  return SHELLS.flatMap((shell) => {
    const file = scriptPlace(context, shell)?.file;
    // A file that cops did not write.
    return orElse(() => (file !== undefined && ownScript(file) !== undefined ? [file] : []), []);
  });
}

/** The manual step for PowerShell. */
export const POWERSHELL_NEXT = 'Add this line to $PROFILE: cops completion powershell | Out-String | Invoke-Expression';

/** The place for a shell's script; undefined if the shell loads no file automatically. */
export function scriptPlace({ world: { env } }: Context, shell: Shell) {
  const home = env.HOME && isAbsolute(env.HOME) ? env.HOME : homedir();
  const below = (variable: string, ...otherwise: string[]): string => {
    const given = env[variable];
    return given !== undefined && isAbsolute(given) ? given : join(home, ...otherwise);
  };
  if (shell === 'bash') {
    const folder =
      env.BASH_COMPLETION_USER_DIR && isAbsolute(env.BASH_COMPLETION_USER_DIR)
        ? env.BASH_COMPLETION_USER_DIR
        : join(below('XDG_DATA_HOME', '.local', 'share'), 'bash-completion');
    const file = join(folder, 'completions', 'cops');
    return {
      file,
      next: `Works in new shells that have the package bash-completion; without it add to ~/.bashrc: source '${file}'`,
    };
  }
  if (shell === 'zsh') {
    const folder = join(home, '.zfunc');
    const known = mentions(join(below('ZDOTDIR'), '.zshrc'), '.zfunc');
    return {
      file: join(folder, SCRIPT_FILES.zsh),
      next: known
        ? 'Works in new shells: ~/.zshrc already names ~/.zfunc.'
        : 'Add to ~/.zshrc, before the line with compinit if it has one: fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit',
    };
  }
  if (shell === 'fish') {
    const file = join(below('XDG_CONFIG_HOME', '.config'), 'fish', 'completions', SCRIPT_FILES.fish);
    return { file, next: 'Works in new shells.' };
  }
  return undefined;
}

/** The script at a path; undefined if there is none. @throws CopsError `local` for a file that cops did not write */
export function ownScript(file: string): string | undefined {
  let text: string;
  try {
    const bytes = readOwnFile(file);
    if (bytes === undefined) return undefined;
    text = bytes.toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw local(`${file} cannot be read: ${(error as Error).message}.`);
  }
  if (text.includes(SCRIPT_MARK)) return text;
  throw local(`${file} exists and was not created by cops.`, 'Move it away, then run this again.');
}

function mentions(file: string, text: string): boolean {
  return orElse(() => readOwnFile(file)?.includes(text) === true, false);
}
