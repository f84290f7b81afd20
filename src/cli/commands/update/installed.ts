import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramFile } from '../../../base/world.js';

/** A way to install this program, and the command that updates it the same way. */
export interface Installed {
  readonly as: string;
  readonly by: string;
  readonly command: string;
}

type Way = Installed & { readonly fits?: (program: ProgramFile) => boolean };

/** The folder of the package that the script is in. */
const packageOf = (path: string): string => dirname(dirname(path));

/** Tried in this order. Each names its source: nobody owns the bare name on npm's registry, so anyone could take it. */
const ways = (path: string): readonly Way[] => [
  {
    as: 'clone',
    by: 'From a clone',
    command: 'git pull && npm install && npm install -g .',
    fits: ({ isExecutable }) => !isExecutable && existsSync(join(packageOf(path), '.git')),
  },
  {
    as: 'npm',
    by: "From a release's package",
    command: 'npm install -g ./cops-<version>.tgz',
    fits: ({ isExecutable }) => !isExecutable && /[\\/]node_modules[\\/]cops[\\/]/.test(path),
  },
  {
    as: 'brew',
    by: 'With Homebrew',
    command: 'brew upgrade cops',
    fits: ({ isExecutable }) => isExecutable && /\/Cellar\/cops\//.test(path),
  },
  {
    as: 'scoop',
    by: 'With Scoop',
    command: 'scoop update cops',
    fits: ({ isExecutable }) => isExecutable && /[\\/]scoop[\\/]apps[\\/]cops[\\/]/i.test(path),
  },
  {
    as: 'winget',
    by: 'With winget',
    command: 'winget upgrade cops.cops',
    fits: ({ isExecutable }) => isExecutable && /[\\/]WinGet[\\/]Packages[\\/]cops\./i.test(path),
  },
  {
    as: 'deb',
    by: 'From a .deb',
    command: 'sudo apt install ./cops_<version>_amd64.deb',
    fits: ({ isExecutable }) =>
      isExecutable && path.endsWith('/usr/bin/cops') && existsSync(join(path, '../../../var/lib/dpkg/info/cops.list')),
  },
  {
    as: 'script',
    by: "From a release's install.sh",
    command: 'sh install.sh <address of the release>',
    // It puts the licence notices next to a folder called bin.
    fits: ({ isExecutable }) =>
      isExecutable && /\/bin\/cops$/.test(path) && existsSync(join(path, '../../share/doc/cops/THIRD-PARTY-NOTICES')),
  },
  {
    as: 'executable',
    by: 'The executable alone',
    command: 'sh install.sh <address of the release> <folder>',
    fits: ({ isExecutable }) => isExecutable,
  },
];

/** How the program was installed; undefined where its file does not tell. */
export function installedAs(program: ProgramFile | undefined): Installed | undefined {
  if (program === undefined) return undefined;
  const way = ways(program.path).find(({ fits }) => fits?.(program));
  return way && { as: way.as, by: way.by, command: inPlace(way, program.path) };
}

/** Every way, for a program installed in an unknown way. */
export const allWays = (): readonly Installed[] => ways('');

/** The command with its folder. */
function inPlace({ as, command }: Way, path: string): string {
  if (as === 'clone') return `cd ${quoted(packageOf(path))} && ${command}`;
  if (as === 'executable' && /\.exe$/i.test(path)) return `replace ${path} with the file from the newer release`;
  const isUsual = as === 'script' && path.endsWith('/.local/bin/cops');
  return as === 'script' || as === 'executable'
    ? `${command.replace(' <folder>', '')}${isUsual ? '' : ` ${quoted(path.replace(/[\\/][^\\/]*$/, ''))}`}`
    : command;
}

const quoted = (path: string): string => (/^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
