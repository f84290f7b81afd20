import { get, valueAt } from '../../json/tree.js';
import { fieldsOf } from '../../setup/families.js';
import { refOf } from '../../setup/shape.js';
import type { Step } from '../../setup/types.js';
import { type Applying, stepAddress } from './steps.js';

/**
 * What a step names that this plan made and that somebody has to set up before it can be named (a domain its records);
 * undefined where nothing is in the way.
 */
export async function notReady({ account, progress }: Applying, step: Step): Promise<string | undefined> {
  const operation = progress.operation(step);
  for (const [name, field] of fieldsOf(operation)) {
    const address = field.ready === undefined ? undefined : refOf(get(step.body, name));
    const made = progress.plan.steps.find((one) => one.action === 'create' && stepAddress(one) === address);
    if (made === undefined || address === undefined) continue;
    const managed = progress.managed(made);
    const action = managed.family.operations.find((one) => one.action === field.ready);
    const id = progress.ids.get(address);
    if (!action?.wait?.field || id === undefined) continue;
    const item = await account.account.item(managed.family, managed.get, id);
    const found = valueAt(item, action.wait.field);
    if (typeof found === 'string' && action.wait.done?.includes(found)) continue;
    const command = `cops ${managed.name} ${action.action} ${id} --wait`;
    return `${address} is new and not ready (${action.wait.field}): see cops ${managed.name} get ${id}, then ${command}`;
  }
  return undefined;
}
