import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { forgetIds } from '../../../account/seen-ids/ids.js';
import { local, orThrow, usage } from '../../../base/errors/errors.js';
import { WHY } from '../../../base/files/read-file.js';
import { makeFolder, onceFreeSync } from '../../../base/files/replace-file.js';
import { cops, say } from '../../../base/text/command-line.js';
import { Item } from '../../../items/json/item-json.js';
import type { Context, Done } from '../../../session/context/context.js';
import { bySubcommand } from '../../../session/context/run.js';
import { ownScript, POWERSHELL_NEXT, scriptPlace } from '../../completion/installed-scripts.js';
import { shellScript } from '../../completion/scripts.js';
import { SHELLS, type Shell } from '../../completion/shells.js';

/**
 * `cops completion install [shell]`: asks nothing, and changes nothing when run again.
 * @throws CopsError `local` for a file that cops did not write, or a disk error
 */
function install(context: Context, shell: Shell): Done {
  const place = scriptPlace(context, shell);
  if (place === undefined)
    return report({ shell, file: null, state: 'nothing written', next: String(POWERSHELL_NEXT) });
  const before = ownScript(place.file);
  const script = shellScript(shell);
  if (before !== script) write(place.file, script);
  const state = before === undefined ? 'written' : before === script ? 'unchanged' : 'replaced';
  return report({ shell, file: place.file, state, next: place.next });
}

/** `cops completion uninstall [shell]`: removes what `install` wrote, and nothing else. */
function uninstall(context: Context, shell: Shell): Done {
  const place = scriptPlace(context, shell);
  if (place === undefined)
    return report({ shell, file: null, state: 'nothing written', next: 'Remove the line from $PROFILE.' });
  const there = ownScript(place.file) !== undefined;
  if (there) {
    orThrow(
      () => rmSync(place.file),
      (error) => local(`${place.file} cannot be removed: ${error.message}.`),
    );
  }
  return report({ shell, file: place.file, state: there ? 'removed' : 'not there', next: '' });
}

/** `cops completion forget`: removes the ids kept for completion, for all profiles. */
async function forget(context: Context): Promise<Done> {
  try {
    const families = forgetIds(context.dataDir);
    context.notes.note(families === 0 ? 'There was nothing to forget.' : `Forgot the ids seen of ${families} lists.`);
  } catch (error) {
    throw local(`The ids in ${join(context.dataDir, 'ids')} cannot be removed: ${(error as Error).message}.`);
  }
  return { result: { shape: 'nothing' } };
}

function shellInUse({ world: { env } }: Context): Shell {
  const name = basename(env.SHELL ?? '').replace(/\.exe$/, '');
  const found = SHELLS.find((shell) => shell === name) ?? (env.PSModulePath && !env.SHELL ? 'powershell' : undefined);
  if (found) return found;
  throw usage('The shell in use cannot be detected.', say`Name it: ${cops`completion install ${SHELLS.join('|')}`}`);
}

function shellOf(name: string): Shell {
  const word = name.toLowerCase() === 'pwsh' ? 'powershell' : name.toLowerCase();
  const found = SHELLS.find((shell) => shell === word);
  if (found) return found;
  throw usage(
    `There is no completion for "${name.slice(0, 40)}".`,
    `Shells: ${SHELLS.join(', ')}. Also: install, uninstall, forget.`,
  );
}

function write(file: string, text: string): void {
  const fresh = `${file}.new`;
  try {
    makeFolder(dirname(file), 0o755);
    // The shell runs this file: never follow a planted link, and let nobody else write to it.
    rmSync(fresh, { force: true });
    writeFileSync(fresh, text, { flag: 'wx', mode: 0o644 });
    onceFreeSync(() => renameSync(fresh, file));
  } catch (error) {
    rmSync(fresh, { force: true });
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw local(`${file} cannot be written: ${WHY[code] ?? message}.`);
  }
}

function report(row: Readonly<Record<string, string | null>>): Done {
  const columns = ['shell', 'file', 'state', 'next'].map((path) => ({ path }));
  return { result: { shape: 'one', item: Item.of(row), columns, idField: 'file' } };
}

export const run = bySubcommand({
  // The script, to source or to write to a file.
  '': async (_context, { words: [name = ''] }) => ({
    result: { shape: 'text', text: shellScript(shellOf(name)) },
  }),
  install: async (context, { words: [name] }) =>
    install(context, name === undefined ? shellInUse(context) : shellOf(name)),
  uninstall: async (context, { words: [name] }) =>
    uninstall(context, name === undefined ? shellInUse(context) : shellOf(name)),
  forget,
});
