import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { local } from '../../base/errors/errors.js';
import { makeFolder } from '../../base/files/replace-file.js';
import { FIRST_SCENARIOS } from './first.generated.js';

/**
 * Copies the starter scenarios to a folder, created if necessary.
 * @returns their files
 * @throws CopsError `local` if one of them exists already, or the folder cannot be written
 */
export async function layScenarios(folder: string): Promise<string[]> {
  const made: string[] = [];
  try {
    makeFolder(folder, 0o777);
    for (const [name, text] of FIRST_SCENARIOS) {
      await writeFile(join(folder, name), text, { flag: 'wx' });
      made.push(join(folder, name));
    }
  } catch (cause) {
    const done = made.length === 0 ? '' : ` ${made.length} were created before it.`;
    throw local(
      `Cannot create scenarios in ${folder}: ${(cause as Error).message}.${done}`,
      'Name a new folder.',
      cause,
    );
  }
  return made;
}
