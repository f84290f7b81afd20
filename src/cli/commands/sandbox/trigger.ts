import { cops, say } from '../../../base/text/command-line.js';
import { knownEvent } from '../../../catalogue/event-types.js';
import { DECLINE_REASONS } from '../../../catalogue/terms.js';
import { itemsOf } from '../../../items/json/item-json.js';
import type { Context, Done } from '../../../session/context/context.js';
import { type Opener, sayTried, withSandbox } from '../../../session/context/opened-sandbox.js';
import { inputOf } from '../../../session/write/body-input.js';
import { EVENT_COLUMNS } from './records.js';
import type { SandboxCommandOptions } from './spec.js';

/** `cops sandbox trigger <event>`: makes it happen with its items, and shows all events raised. */
export async function sandboxTrigger(
  context: Opener & Pick<Context, 'notes'>,
  notation: string,
  options: SandboxCommandOptions,
): Promise<Done> {
  knownEvent(notation, 'There');
  const [{ catchUp }, { GivenFields, trigger }] = await Promise.all([
    import('../../../sandbox/serve/index.js'),
    import('../../../sandbox/trigger/index.js'),
  ]);
  const { world } = context;
  const live = context.options.mode === 'live';
  const { data = [] } = options;
  const made = (opened: Parameters<typeof trigger>[0]) =>
    trigger(opened, notation, {
      live,
      item: options.item,
      random: () => world.random(),
      fields: new GivenFields(data, inputOf(world)),
    });
  // The writes are only known as they are made: a trial run finds data that they refuse, and keeps nothing.
  if (data.length > 0) await withSandbox({ ...context, options: { ...context.options, dryRun: true } }, made);
  return withSandbox(context, async (opened) => {
    await catchUp(opened);
    const raised = await made(opened);
    // Automations that act on these events immediately run before the answer.
    await catchUp(opened);
    sayTried(context);
    if (notation.endsWith('.declined'))
      context.notes.note(say`${DECLINE_REASONS} Cards that fail in test mode: ${cops`explain "test cards"`}`);
    return { result: { shape: 'list', items: itemsOf(raised), columns: EVENT_COLUMNS, idField: 'id' } };
  });
}
