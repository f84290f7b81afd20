import { judgeBody } from '../../body/checks/index.js';
import { placeholdersIn } from '../../body/skeleton.js';
import type { Context } from '../../command/context.js';
import { faultsError } from '../../errors/field-faults.js';
import type { TreeObject } from '../../json/tree.js';
import type { OperationInput } from './input.js';

/** Checks a body against its schema and the documented rules; throws one usage error with all faults. */
export async function checkBody(context: Context, input: OperationInput, body: TreeObject): Promise<void> {
  const { family, operation } = input;
  const findings = await judgeBody(body, { operation });
  if (findings.faults.length > 0) {
    throw faultsError(
      `cops ${family.name.replaceAll('_', '-')} ${operation.action}: the body is not right`,
      findings.faults,
      'Nothing was sent. --help shows the fields, --skeleton a template, --no-validate sends it anyway.',
    );
  }
  for (const note of findings.notes) context.notes.note(note);
}

/** Refuses a body in which places of the skeleton were left as they stood, whatever else is to be checked. */
export function refusePlaceholders({ family, operation }: OperationInput, body: TreeObject): void {
  const left = placeholdersIn(operation, body);
  if (left.length === 0) return;
  throw faultsError(
    `cops ${family.name.replaceAll('_', '-')} ${operation.action}: the body is not filled in`,
    left.map((path) => ({ path, message: 'still holds what --skeleton shows: give a value or take it out' })),
    'Nothing was sent.',
  );
}
