import type { Context } from '../cli/context.js';
import type { OperationInput } from '../cli/family.js';
import { runChecks } from '../request/checks/index.js';
import { type Fault, faultsError } from '../request/faults.js';
import { checkBody as checkSchema } from '../request/schema.js';
import type { TreeObject } from '../request/tree.js';

/** Checks a body against its schema and the documented rules; throws one usage error with all faults. */
export async function checkBody(context: Context, input: OperationInput, body: TreeObject): Promise<void> {
  const { family, operation } = input;
  const findings = await checkSchema(operation, body);
  const rules = operation.checks ? await runChecks(operation.checks, body, { family, operation }) : [];
  const faults = [...findings.faults, ...rules].filter(isNew());
  if (faults.length > 0) {
    throw faultsError(
      `cops ${family.name.replaceAll('_', '-')} ${operation.action}: the body is not right`,
      faults,
      'Nothing was sent. --help shows the fields, --skeleton a template, --no-validate sends it anyway.',
    );
  }
  for (const note of findings.notes) context.notes.note(note);
}

function isNew(): (fault: Fault) => boolean {
  const seen = new Set<string>();
  return (fault) => {
    const key = `${fault.path}\n${fault.message}`;
    return seen.has(key) ? false : Boolean(seen.add(key));
  };
}
