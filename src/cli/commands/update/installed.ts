import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramFile } from '../../../base/world.js';

/** A way to install this program, and the command that updates it the same way. */
export type Installed = NonNullable<ReturnType<typeof installedAs>>;

/** The folder of the package that the script is in. */
const packageOf = (path: string): string => dirname(dirname(path));

type Way = readonly [by: string, command: string, isOfPackage: boolean, shows: (path: string) => boolean];

/** Tried in this order. Each names its source: nobody owns the bare name on npm's registry, so anyone could take it. */
const WAYS: Readonly<Record<string, Way>> = {
  clone: [
    'From a clone',
    'git pull && npm install && npm install -g .',
    true,
    (path) => existsSync(join(packageOf(path), '.git')),
  ],
  npm: [
    "From a release's package",
    'npm install -g ./cops-<version>.tgz',
    true,
    (path) => /[\\/]node_modules[\\/]cops[\\/]/.test(path),
  ],
  brew: ['With Homebrew', 'brew upgrade cops', false, (path) => /\/Cellar\/cops\//.test(path)],
  scoop: ['With Scoop', 'scoop update cops', false, (path) => /[\\/]scoop[\\/]apps[\\/]cops[\\/]/i.test(path)],
  winget: [
    'With winget',
    'winget upgrade cops.cops',
    false,
    (path) => /[\\/]WinGet[\\/]Packages[\\/]cops\./i.test(path),
  ],
  deb: [
    'From a .deb',
    'sudo apt install ./cops_<version>_amd64.deb',
    false,
    (path) => path.endsWith('/usr/bin/cops') && existsSync(join(path, '../../../var/lib/dpkg/info/cops.list')),
  ],
  script: [
    "From a release's install.sh",
    'sh install.sh <address of the release>',
    false,
    // It puts the licence notices next to a folder called bin.
    (path) => /\/bin\/cops$/.test(path) && existsSync(join(path, '../../share/doc/cops/THIRD-PARTY-NOTICES')),
  ],
  executable: ['The executable alone', 'sh install.sh <address of the release> <folder>', false, () => true],
};

/** How the program was installed; undefined where its file does not tell. */
export function installedAs(program: ProgramFile | undefined) {
  if (program === undefined) return undefined;
  const { path, isExecutable } = program;
  const found = Object.entries(WAYS).find(
    ([, [, , isOfPackage, shows]]) => isOfPackage !== isExecutable && shows(path),
  );
  if (!found) return undefined;
  const [as, [by, command]] = found;
  return { as, by, command: inPlace(as, command, path) };
}

/** Every way, for a program installed in an unknown way. */
export const allWays = (): readonly Installed[] =>
  Object.entries(WAYS).map(([as, [by, command]]) => ({ as, by, command }));

/** The command with its folder. */
function inPlace(as: string, command: string, path: string): string {
  if (as === 'clone') return `cd ${quoted(packageOf(path))} && ${command}`;
  if (as === 'executable' && /\.exe$/i.test(path)) return `replace ${path} with the file from the newer release`;
  const isUsual = as === 'script' && path.endsWith('/.local/bin/cops');
  return as === 'script' || as === 'executable'
    ? `${command.replace(' <folder>', '')}${isUsual ? '' : ` ${quoted(path.replace(/[\\/][^\\/]*$/, ''))}`}`
    : command;
}

const quoted = (path: string): string => (/^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
