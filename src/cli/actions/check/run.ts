import { faultsError, usage } from '../../../base/errors/errors.js';
import { findOperation, loadFamily } from '../../../catalogue/index.js';
import { judgeBody } from '../../../items/checks/body-faults.js';
import { isObject } from '../../../items/json/tree.js';
import { type BodySources, gatherBody } from '../../../service/body/gather.js';
import { decodeText } from '../../../service/body/input-text.js';
import { parseYaml, YamlFault } from '../../../service/body/parse-yaml.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { one } from '../../../session/context/run.js';
import { inputOf } from '../../../session/write/body-input.js';

/**
 * `cops <family> check <file>`: sends nothing, needs no key; `edit` judges the file as changes, not as a whole.
 * @throws CopsError `usage` naming every fault
 */
export async function run(
  context: Context,
  { family: familyName, words: [file = ''], options }: CommandInput<{ readonly edit?: boolean }>,
): Promise<Done> {
  const family = await loadFamily(familyName);
  const command = family.name.replaceAll('_', '-');
  // A function's fields are described by its edit alone.
  const action = options.edit || family.name === 'functions' ? 'edit' : 'create';
  const operation = findOperation(family, action);
  if (!operation) throw usage(`cops ${command} check: there is no ${action} to check for.`);
  const io = inputOf(context.world);
  const shown = file === '-' ? 'standard input' : file;
  const bytes = file === '-' ? await io.readStdin() : new Uint8Array();
  const sources = file === '-' ? await sourcesOf(bytes) : { body: `@${file}` };
  const { body, notes } = await gatherBody(operation, sources, { ...io, readStdin: async () => bytes });
  const findings = await judgeBody(body, { operation, whole: options.edit !== true });
  if (findings.faults.length > 0)
    throw faultsError(`${shown} is not valid for ${command} ${action}`, findings.faults, 'Nothing was sent.');
  for (const note of [...notes, ...findings.notes]) context.notes.note(note);
  return { result: one({ result: 'ok', file: shown, family: command, checked_as: action }) };
}

/** Standard input has no file extension: anything that does not start like a JSON object is read as YAML. */
async function sourcesOf(bytes: Uint8Array): Promise<BodySources> {
  const text = decodeText(bytes, 'standard input');
  if (text.trimStart().startsWith('{') || text.trim() === '') return { body: '-' };
  try {
    const value = await parseYaml(text);
    if (isObject(value)) return { base: value };
  } catch (fault) {
    if (!(fault instanceof YamlFault)) throw fault;
    throw usage(`Standard input is neither JSON nor YAML: ${fault.message}.`);
  }
  throw usage('Standard input must hold an object.');
}
