import { CopsError } from '../../base/errors/errors.js';
import type { Placeholder } from '../../base/text/command-line.js';
import { typedFields } from '../../catalogue/body-fields.js';
import { idFault } from '../../catalogue/value-formats.js';
import { judgeBody } from '../../items/checks/body-faults.js';
import { valueAt } from '../../items/json/tree.js';
import type { BodyClock } from '../../service/body/data-path.js';
import { gatherBody } from '../../service/body/gather.js';
import type { OperationInput } from '../../session/operation/spec.js';

const NO_FILES = {
  readFile: () => Promise.reject(new Error('a proposed line reads no file')),
  readStdin: () => Promise.reject(new Error('a proposed line reads no input')),
};
/** A percentage of an item's amount is known only once the item is read. */
const OF_WHAT_IS_LEFT = /(?:%|^half|=half)\s*$/i;
const nameOf = (assignment: string): string => assignment.replace(/:?=.*/s, '');
const rootOf = (path: string): string => path.replace(/[.[].*/s, '');

/**
 * The faults of a proposed line's body that can be found without the service: unknown fields, values of the wrong type,
 * and missing fields where the body is not the reader's own. Ignores values of placeholders.
 */
export async function bodyFault(
  { operation, options, typed }: OperationInput,
  words: readonly (string | Placeholder)[],
  argv: readonly string[],
  clock: BodyClock,
): Promise<string | undefined> {
  const data = options.data ?? [];
  const known = typedFields(operation);
  const unknown = data.map((one) => rootOf(nameOf(one))).find((name) => isUnknown(known, name));
  if (unknown !== undefined && !argv.some((word) => rootOf(nameOf(word)) === unknown))
    return `${unknown} is not a field`;
  const plain = new Set(words.filter((word) => typeof word === 'string'));
  const said = data.filter((one) => plain.has(one) && !/=@/.test(one) && !OF_WHAT_IS_LEFT.test(one));
  const values = Object.entries(typed).filter(
    ([name, value]) => !OF_WHAT_IS_LEFT.test(String(value)) && isPlain(`--${name.replaceAll('_', '-')}`, words),
  );
  const isOwn = [...said, ...values.map(([, value]) => String(value))].every((one) => argv.includes(one));
  const places = [...data.filter((one) => !said.includes(one)).map(nameOf), ...Object.keys(typed)];
  try {
    const { body } = await gatherBody(
      operation,
      { data: said, typed: Object.fromEntries(values) },
      { ...NO_FILES, clock },
    );
    const { faults } = await judgeBody(body, { operation });
    const fault = faults.find(({ path, message }) => {
      if (message === 'is required') return !isOwn && !places.some((one) => one === path || one.startsWith(`${path}.`));
      const value = valueAt(body, path);
      return path !== '' && !(typeof value === 'string' && idFault(value) === message);
    });
    return fault && `${fault.path} ${fault.message}`;
  } catch (error) {
    return error instanceof CopsError ? error.message : undefined;
  }
}

const isUnknown = (known: object, name: string): boolean =>
  Object.keys(known).length > 0 && name !== 'idempotency_key' && !Object.hasOwn(known, name);

/** True for an option that has its value, or needs none; false if a placeholder follows it. */
function isPlain(option: string, words: readonly (string | Placeholder)[]): boolean {
  const at = words.findIndex((word) => (typeof word === 'string' ? word : word.text).replace(/=.*/s, '') === option);
  const [word, next] = [words[at], words[at + 1]];
  return typeof (word === option ? (next ?? option) : word) === 'string';
}
