import { CopsError, closing, usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { findOperation, loadFamily } from '../../../catalogue/index.js';
import type { Operation } from '../../../catalogue/types.js';
import { Item } from '../../../items/json/item-json.js';
import { atOnce } from '../../../screen/notes.js';
import { itemRead } from '../../../service/request/request-plan.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { one } from '../../../session/context/run.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import { listedItems } from '../../../session/read/list.js';
import { openReader, type Reader } from '../../../session/read/reading.js';
import { dryRunWrites } from '../../../session/write/dry-run.js';
import { type PreparedWrite, reasonOf } from '../../../session/write/prepared-write.js';
import { failureOfRun, readFunctionCode, tryFunction } from '../../../session/write/try-function.js';
import { guard, refuseReadOnly, sendWrite } from '../../../session/write/write.js';
import type { spec } from './spec.js';

type DeployOptions = OptionsOf<typeof spec> & { readonly name: string };

/**
 * `cops functions deploy <file> --name <name>`: deploys code and dependencies to the function of that name, creating it
 * if there is none. Before anything is sent, the code runs here and the scenarios must pass.
 * @throws CopsError `refused` (1) for code that fails here, `differs` (13) for a scenario that fails
 */
export async function run(
  context: Context,
  { words: [file = ''], options }: CommandInput<DeployOptions>,
): Promise<Done> {
  const family = await loadFamily('functions');
  const [create, edit] = ['create', 'edit'].map((action) => findOperation(family, action) as Operation);
  if (!create || !edit) throw new Error('functions are neither created nor edited');
  await refuseReadOnly(context, edit, edit.risk);
  const code = await readFunctionCode(context, file);
  await tried(context, code, options);
  const reader = await openReader(context);
  const known = await idOf(context, options.name, reader);
  const dependencies = options.dependency?.map(dependencyOf);
  const body = { function_code: code, ...(dependencies && { dependencies }) };
  const reason = reasonOf(options.reason, context.notes);
  const write = (operation: Operation, ids: readonly string[], of: Record<string, unknown>): PreparedWrite => {
    return {
      family,
      operation,
      risk: operation.risk,
      ids,
      body: of,
      key: undefined,
      again: false,
      reason,
    };
  };
  const creation = write(create, [], { name: options.name });
  if (context.options.dryRun)
    return dryRunWrites(context, known === undefined ? [creation] : [write(edit, [known], body)]);
  if (known === undefined) await guard(context, creation, reader);
  const id = known ?? String(new Item((await sendWrite(context, creation, reader)).text).field('function_id'));
  const change = write(edit, [id], body);
  if (known === undefined) await provisioned(context, create);
  await guard(context, change, reader);
  const { apiCallId } = await sendWrite(context, change, reader);
  if (options.event !== undefined) await tellUnbound(context, edit, id, options.event, reader);
  return {
    result: one({
      id,
      name: options.name,
      outcome: known === undefined ? 'made' : 'updated',
      api_call_id: apiCallId ?? null,
    }),
    wrote: true,
  };
}

/** Warns if the function is not bound to the event it was tried with: it would not run on it. */
async function tellUnbound(
  { notes }: Context,
  edit: Operation,
  id: string,
  event: string,
  reader: Reader,
): Promise<void> {
  const read = itemRead(await loadFamily('functions'), edit, [id]);
  const bound = read && new Item(await reader.answer(read.request)).field('account_event_notations');
  const known = Array.isArray(bound) ? bound : [];
  if (known.includes(event)) return;
  const data = ['event_source=account_event', `account_event_notations:=${JSON.stringify([...known, event])}`];
  notes.warn(
    say`The function does not run on ${event} yet. To bind it: ${cops`functions edit ${id} ${data.flatMap((one) => ['-d', one])}`}`,
  );
}

/** Runs the code here before sending it. */
async function tried(context: Context, code: string, options: DeployOptions): Promise<void> {
  const { event, scenario = [] } = options;
  if (event === undefined && scenario.length === 0)
    context.notes.warn('The code has not been tried here: --event runs it on the sandbox, --scenario runs a scenario.');
  if (event !== undefined) {
    const failure = failureOfRun(await tryFunction(context, code, { ...options, event }), code);
    if (failure) throw failure;
  }
  if (scenario.length > 0) await played(context, scenario);
}

async function played(context: Context, files: readonly string[]): Promise<void> {
  const [{ readScenarios }, { runScenario }, { ServiceCopies }] = await Promise.all([
    import('../../../data/scenarios/read-scenarios.js'),
    import('../../../data/scenarios/run-scenario.js'),
    import('../../../data/scenarios/service-copy.js'),
  ]);
  const { world } = context;
  await closing(new ServiceCopies(), async (copies) => {
    for (const scenario of await readScenarios(files, world)) {
      const { name, failure } = await runScenario(scenario, { world, run: context.runLine, copies });
      if (!failure) continue;
      const [first] = failure.unmet;
      throw new CopsError('differs', `${name}: at ${failure.at}: expected ${first?.expected}, found ${first?.found}`, {
        hint: 'Nothing was sent.',
      });
    }
  });
}

/**
 * Finds the function of exactly that name. @throws CopsError `incomplete` (10) where the list cannot be proven complete
 */
async function idOf(context: Context, name: string, reader: Reader): Promise<string | undefined> {
  const family = await loadFamily('functions');
  const list = findOperation(family, 'list') as Operation;
  const { items, incomplete } = await listedItems(context, { family, operation: list }, {}, reader);
  const found: string[] = [];
  for await (const item of items) if (item.field('name') === name) found.push(String(item.field('id')));
  const error = incomplete();
  if (error) throw error;
  if (found.length > 1) throw usage(`${found.length} functions have the name ${name}: ${found.join(', ')}.`);
  return found[0];
}

/** The service builds a new function in the background and does not report progress (service.md#other-items). */
async function provisioned({ world, notes }: Context, { wait }: Operation): Promise<void> {
  const seconds = wait?.atLeastSeconds ?? 0;
  atOnce(notes).note(`Created; its code follows in ${seconds} s, once the service has built it.`);
  await world.sleep(seconds * 1000, world.interrupted);
}

function dependencyOf(text: string): { name: string; version?: string } {
  const [, name = '', version] = /^(@?[^@]+)(?:@(.+))?$/.exec(text) ?? [];
  if (name === '') throw usage(`--dependency takes name@version, not ${JSON.stringify(text)}.`);
  return version === undefined ? { name } : { name, version };
}
