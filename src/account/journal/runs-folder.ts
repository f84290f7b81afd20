import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orLocal } from '../../base/errors/errors.js';
import { readOwnText } from '../../base/files/read-file.js';
import { makeFolder, replaceFile } from '../../base/files/replace-file.js';
import { randomUUID } from '../../base/random.js';
import { parseJson } from '../../items/json/parse-json.js';
import { isObject, ownMember } from '../../items/json/tree.js';
import type { Runs } from './types.js';

/** The runs on this machine, each with a mark in a folder. */
export function runsInFolder(dataDir: string, now: () => number): Runs {
  const own = join(dataDir, 'journals');
  const marks = join(dataDir, 'runs');
  const markOf = (equal: string) => join(marks, `${equal}.begun`);
  const listed = (folder: string, ending: string) =>
    readdir(folder).then(
      (names) => names.filter((name) => name.endsWith(ending)).sort(),
      () => [],
    );
  const unfinished = async () =>
    (await Promise.all((await listed(marks, '.begun')).map((name) => journalIn(join(marks, name))))).filter(
      (path) => path !== undefined,
    );
  return {
    unfinished,
    async newName(command) {
      orLocal(() => makeFolder(own), `cannot create ${own}`);
      const time = new Date(now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
      return join(own, `${time}-${command.replaceAll(' ', '-')}-${randomUUID().slice(0, 4)}.journal`);
    },
    begun: (equal) => journalIn(markOf(equal)),
    note: (equal, journal) => replaceFile(markOf(equal), JSON.stringify({ journal })),
    forget: (equal) => rm(markOf(equal), { force: true }),
    async journals() {
      const elsewhere = (await unfinished()).filter((path) => dirname(path) !== own);
      return [...elsewhere.sort(), ...(await listed(own, '.journal')).reverse().map((name) => join(own, name))];
    },
  };
}

/** The journal that a mark names, if it still exists. */
async function journalIn(mark: string): Promise<string | undefined> {
  try {
    const { value } = parseJson(readOwnText(mark));
    const journal = isObject(value) ? ownMember(value, 'journal') : undefined;
    return typeof journal === 'string' && existsSync(journal) ? journal : undefined;
  } catch {
    // There is none, or it cannot be read: then only each row's own guard looks for open writes.
    return undefined;
  }
}
