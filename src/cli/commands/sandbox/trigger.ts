import { knownEvent } from '../../../catalogue/event-types.js';
import { itemsOf } from '../../../items/json/item-json.js';
import type { Context, Done } from '../../../session/context/context.js';
import { type Opener, sayTried, withSandbox } from '../../../session/context/opened-sandbox.js';
import { EVENT_COLUMNS } from './records.js';

export interface TriggerOptions {
  readonly item?: string;
}

/** `cops sandbox trigger <event>`: makes it happen with its items, and shows all that was raised. */
export async function sandboxTrigger(
  context: Opener & Pick<Context, 'notes'>,
  notation: string,
  options: TriggerOptions,
): Promise<Done> {
  knownEvent(notation, 'There');
  const [{ catchUp }, { trigger }] = await Promise.all([
    import('../../../sandbox/serve/index.js'),
    import('../../../sandbox/trigger/index.js'),
  ]);
  const { world } = context;
  return withSandbox(context, async (opened) => {
    await catchUp(opened);
    const live = context.options.mode === 'live';
    const raised = await trigger(opened, notation, { live, item: options.item, random: () => world.random() });
    // What waits for these events at once runs before the line is answered.
    await catchUp(opened);
    sayTried(context);
    return { result: { shape: 'list', items: itemsOf(raised), columns: EVENT_COLUMNS, idField: 'id' } };
  });
}
