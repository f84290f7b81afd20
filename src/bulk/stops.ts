import type { JournalState } from '../account/journal/state.js';
import { atOnce } from '../screen/notes.js';
import type { Context } from '../session/context/context.js';

/** What ends a run before its rows do: the first signal lets requests in flight finish, the second ends at once. */
export interface Stops {
  readonly soft: AbortController;
  readonly hard: AbortController;
  /** Called right before the third signal ends the process, which waits for nothing. */
  atOnce: () => void;
  /** 130 or 143, by the last signal. */
  exitCode(): number;
  undo(): void;
}

/** @param told what is said of a run that is made to end before it can say it itself */
export function watchStops({ world, notes }: Context, state: JournalState, told: () => string): Stops {
  const soft = new AbortController();
  const hard = new AbortController();
  let exitCode = 130;
  const undo = world.onSignal((signal, count) => {
    exitCode = signal === 'SIGTERM' ? 143 : 130;
    if (count === 1) atOnce(notes).warn('Stopping: finishing writes in flight. Press again to stop at once.');
    (count === 1 ? soft : hard).abort();
  });
  const stops: Stops = { soft, hard, undo, exitCode: () => exitCode, atOnce: () => undefined };
  world.holdUntilTold?.(() => {
    stops.atOnce();
    return {
      text: `cops: ended at once: ${told()}`,
      exitCode: state.count('open', 'unknown') > 0 ? 9 : exitCode,
    };
  });
  return stops;
}
