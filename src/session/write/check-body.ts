import { type CopsError, type Fault, faultsError } from '../../base/errors/errors.js';
import { cops, copsLine, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { familyByCommand, loadFamily } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { idFault } from '../../catalogue/value-formats.js';
import { judgeBody } from '../../items/checks/body-faults.js';
import { type TreeObject, valueAt } from '../../items/json/tree.js';
import { placeholdersIn } from '../../service/body/skeleton.js';
import { keyFaults } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { OperationInput } from '../operation/spec.js';

/** Refuses a body with all its faults, unless these are only names, which are looked up. @throws CopsError usage (2) */
export async function faultsBesideNames(context: Context, input: OperationInput, body: TreeObject): Promise<void> {
  const { faults } = await judged(input, body);
  const isName = ({ path, message }: Fault): boolean => {
    const value = valueAt(body, path);
    return typeof value === 'string' && idFault(value) === message;
  };
  if (faults.every(isName)) return;
  const told = (one: Fault): Fault =>
    isName(one) ? { ...one, message: `${one.message}; a name is looked up once the rest is right` } : one;
  throw await bodyError(context, input, faults.map(told));
}

/** Checks a body against its schema and the documented rules; throws one usage error with all faults. */
export async function checkBody(context: Context, input: OperationInput, body: TreeObject): Promise<void> {
  const { faults, notes } = await judged(input, body);
  if (faults.length > 0) throw await bodyError(context, input, faults);
  for (const note of notes) context.notes.note(note);
}

/** The findings about a body and the key sent with it. */
async function judged({ operation, options }: OperationInput, body: TreeObject) {
  const { faults, notes } = await judgeBody(body, { operation });
  const key = options.idempotencyKey;
  return { faults: [...faults, ...(typeof key === 'string' ? keyFaults(operation, key) : [])], notes };
}

async function bodyError(context: Context, input: OperationInput, faults: readonly Fault[]): Promise<CopsError> {
  const hint = 'Nothing was sent. --help shows the fields, --skeleton a template, --no-validate sends it anyway.';
  return faultsError(
    `cops ${input.family.name.replaceAll('_', '-')} ${input.operation.action}: the body has faults`,
    faults,
    joinedTexts([hint, await wholeLine(context, input, faults)], '\n'),
  );
}

/**
 * The completed line, if all it lacks is names of the set-up or a longer key. Only the embedded service is asked which
 * names exist: elsewhere a refused line sends no request.
 */
async function wholeLine(
  context: Context,
  { operation }: OperationInput,
  faults: readonly Fault[],
): Promise<Text | undefined> {
  const argv = [...context.world.argv];
  const says: Text[] = [];
  for (const { path, message } of faults) {
    const entry = operation.body?.fields[path]?.nameOk && message === 'is required' && familyByCommand(`${path}s`);
    if (path === 'idempotency_key') {
      const at = argv.indexOf('--idempotency-key');
      if (at < 0) return undefined;
      // An example key would be pasted, and then used twice: without one, a new key is made.
      argv.splice(at, 2);
    } else if (!entry) return undefined;
    else {
      const family = await loadFamily(entry.name);
      const names = (await context.profile()).embedded ? await namesIn(context, family) : [];
      says.push(
        names.length > 0
          ? `${entry.command}: ${names.join(', ')}.`
          : say`To see their names: ${cops`${entry.command} list --columns id,name`}`,
      );
      argv.push(`--${path}`, names[0] ?? `<${path}>`);
    }
  }
  return joinedTexts([...says, say`For example: ${copsLine(argv)}`], '\n');
}

async function namesIn(context: Context, family: Family): Promise<string[]> {
  const { firstNames } = await import('../names/resolve-name.js');
  const { openReader } = await import('../read/reading.js');
  return (
    (await firstNames(family, await openReader(context)))?.names.filter((name) => name !== '').slice(0, MOST_NAMES) ??
    []
  );
}

/** Most names that an error lists. */
const MOST_NAMES = 10;

/** Refuses a body in which placeholders of the skeleton remain, whatever else is checked. */
export function refusePlaceholders({ family, operation }: OperationInput, body: TreeObject): void {
  const left = placeholdersIn(operation, body);
  if (left.length === 0) return;
  throw faultsError(
    `cops ${family.name.replaceAll('_', '-')} ${operation.action}: the body is not filled in`,
    left.map((path) => ({ path, message: 'still has the text of --skeleton: give a value or remove it' })),
    'Nothing was sent.',
  );
}
