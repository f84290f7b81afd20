import { usage } from '../../base/errors/errors.js';
import { meantOr } from '../../base/errors/nearest.js';
import { cops, say } from '../../base/text/command-line.js';
import { FAMILY_INDEX, familyByCommand, findOperation, loadFamily } from '../../catalogue/index.js';
import type { SubcommandSpec } from '../../session/context/spec.js';
import { operationSpec } from '../../session/operation/spec.js';

/**
 * A command that takes everything a family's list takes, as a subcommand with the family's name.
 * @throws CopsError usage (2) where there is no such family, or no list of it
 */
export async function listedFamily(
  command: string,
  word: string,
): Promise<{ readonly family: string; readonly below: SubcommandSpec }> {
  const entry = familyByCommand(word);
  const family = entry && (await loadFamily(entry.name));
  const operation = family && findOperation(family, 'list');
  if (entry && operation)
    return { family: entry.name, below: { ...operationSpec(family, operation), name: entry.command } };
  const listed = FAMILY_INDEX.filter(({ actions }) => actions.some(({ action }) => action === 'list'));
  const names = listed.map((one) => one.command);
  throw usage(
    `cops ${command}: ${entry ? `${entry.command} has no list` : `there is no family "${word}"`}.`,
    meantOr(word, names, say`${cops`commands`} lists them.`),
  );
}
