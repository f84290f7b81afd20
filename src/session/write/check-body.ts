import { type CopsError, type Fault, faultsError } from '../../base/errors/errors.js';
import { idFault } from '../../catalogue/value-formats.js';
import { judgeBody } from '../../items/checks/body-faults.js';
import { type TreeObject, valueAt } from '../../items/json/tree.js';
import { placeholdersIn } from '../../service/body/skeleton.js';
import type { Context } from '../context/context.js';
import type { OperationInput } from '../operation/spec.js';

/** Refuses a body with all its faults, unless these are only names, which are looked up. @throws CopsError usage (2) */
export async function faultsBesideNames(input: OperationInput, body: TreeObject): Promise<void> {
  const { faults } = await judgeBody(body, { operation: input.operation });
  const others = faults.filter(({ path, message }) => {
    const value = valueAt(body, path);
    return typeof value !== 'string' || idFault(value) !== message;
  });
  if (others.length > 0) throw bodyError(input, faults);
}

/** Checks a body against its schema and the documented rules; throws one usage error with all faults. */
export async function checkBody(context: Context, input: OperationInput, body: TreeObject): Promise<void> {
  const findings = await judgeBody(body, { operation: input.operation });
  if (findings.faults.length > 0) throw bodyError(input, findings.faults);
  for (const note of findings.notes) context.notes.note(note);
}

function bodyError({ family, operation }: OperationInput, faults: readonly Fault[]): CopsError {
  return faultsError(
    `cops ${family.name.replaceAll('_', '-')} ${operation.action}: the body has faults`,
    faults,
    'Nothing was sent. --help shows the fields, --skeleton a template, --no-validate sends it anyway.',
  );
}

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
