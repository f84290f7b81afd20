import type { Transport } from '../../base/transport.js';
import type { Item } from '../../items/json/item-json.js';
import type { Context, Done } from '../context/context.js';
import { dryRunItems, listedRequests } from '../write/dry-run.js';

/** Runs a line that only reads, and returns its requests instead of its answer, each once and in order. */
export async function readsAsCurl(context: Context, run: (reading: Context) => Promise<Done>): Promise<Done> {
  const shown = new Map<string, Item>();
  const itemOf = await dryRunItems(context);
  const seen = async (way: Transport): Promise<Transport> => ({
    ...way,
    async send(request, options) {
      const item = await itemOf(request);
      if (!shown.has(item.raw)) shown.set(item.raw, item);
      return way.send(request, options);
    },
    close: () => way.close(),
  });
  const reading: Context = {
    ...context,
    options: { ...context.options, dryRun: false, curl: false },
    transport: async (connections) => seen(await context.transport(connections)),
  };
  const { result } = await run(reading);
  if (result.shape === 'list') for await (const _ of result.items);
  return shown.size === 0 ? { result: { shape: 'nothing' } } : listedRequests(context, [...shown.values()]);
}
