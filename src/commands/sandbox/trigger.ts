import { EVENTS } from '../../catalogue/events.js';
import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { usage } from '../../errors/errors.js';
import { nearest } from '../../errors/nearest.js';
import { Item } from '../../json/item.js';
import { EVENT_COLUMNS } from './records.js';

export interface TriggerOptions {
  readonly item?: string;
}

/** `cops sandbox trigger <event>`: makes it happen with its items, and shows all that was raised. */
export async function sandboxTrigger(
  context: Pick<Context, 'world' | 'dataDir' | 'options'>,
  notation: string,
  options: TriggerOptions,
): Promise<Done> {
  if (!EVENTS.includes(notation)) {
    const [near] = nearest(notation, EVENTS);
    const hint = near ? `Did you mean ${near}?` : 'cops reference events lists them.';
    throw usage(`There is no event ${JSON.stringify(notation)}.`, hint);
  }
  const [{ catchUp, openStore }, { trigger }] = await Promise.all([
    import('../../sandbox/index.js'),
    import('../../sandbox/trigger/index.js'),
  ]);
  const { world } = context;
  const opened = await openStore({ dataDir: context.dataDir, now: () => world.now() });
  try {
    await catchUp(opened);
    const raised = await trigger(opened, notation, {
      live: context.options.mode === 'live',
      item: options.item,
      random: () => world.random(),
    });
    // What waits for these events at once runs before the line is answered.
    await catchUp(opened);
    async function* items(): AsyncGenerator<Item> {
      for (const event of raised) yield Item.of(event);
    }
    return { result: { shape: 'list', items: items(), columns: EVENT_COLUMNS, idField: 'id' } };
  } finally {
    opened.database.close();
  }
}
