import type { JournalState } from '../account/journal/state.js';
import { pathParameters } from '../catalogue/index.js';
import type { FamilyOperation } from '../catalogue/types.js';
import { isTold, ServiceClock, watchClock } from '../service/http/service-clock.js';
import { planRequest } from '../service/request/request-plan.js';
import { toService } from '../service/request/wallet.js';
import type { Context } from '../session/context/context.js';

export type Watched = ReturnType<typeof withServiceClock>;

/** The context with a transport that records the service's clock from its answers. */
export function withServiceClock(context: Context) {
  const clock = new ServiceClock();
  let way: ReturnType<Context['transport']> | undefined;
  const transport: Context['transport'] = (connections) => {
    way ??= context.transport(connections).then((inner) => watchClock(inner, clock, () => context.world.now()));
    return way;
  };
  return { context: Object.create(context, { transport: { value: transport } }) as Context, clock };
}

/** Before rows are sent again: reads the first such item if no answer has shown the service's time yet. */
export async function askTheTime({ context, clock }: Watched, of: FamilyOperation, state: JournalState): Promise<void> {
  const open = [...state.pending].find(([row]) => state.stand(row) === 'open')?.[1];
  if (!open || isTold(clock.skew)) return;
  const read = of.family.operations.find(({ action, method }) => action === 'get' && method === 'GET');
  if (!read || pathParameters(read).length > open.ids.length) return;
  const profile = await context.profile();
  const request = planRequest(of.family, read, { ids: open.ids.slice(0, pathParameters(read).length) });
  const way = await context.transport();
  const options = { timeoutMs: context.options.timeout * 1000, signal: context.world.interrupted };
  // Without an answer, our own clock is the only one available.
  await way.send(toService(request, profile.walletWord.value), options).catch(() => undefined);
}
