import { IdSet } from './id-set.js';
import { placeOf, type Running } from './running.js';
import type { Window } from './window.js';

/** The ids that a shard's window shares with other machines: to leave to the window before, to keep from the next. */
export async function seamOf({ shard, windows, asker, planned }: Running, window: Window) {
  if (!shard) return undefined;
  const none = new IdSet();
  const { range } = window;
  if (!range) return { before: undefined, after: none };
  const place = placeOf(window);
  const at = windows.indexOf(window);
  const isOwn = (other: Window | undefined) => other !== undefined && placeOf(other) === place;
  const shared = (from: number) => asker.ids({ from, to: from + 1 });
  const sharedBefore = () => (place === 0 ? none : shared(range.from));
  const before = isOwn(windows[at - 1]) ? undefined : await sharedBefore();
  const after = isOwn(windows[at + 1]) || place === planned - 1 ? none : await shared(range.to - 1);
  return { before, after };
}
