import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type SignalProcess, watchSignals } from '../../src/main.js';

function machine() {
  let hear: () => void = () => {};
  let exits = 0;
  const process: SignalProcess = {
    on: (signal, listener) => {
      if (signal === 'SIGINT') hear = listener;
    },
    exit: () => {
      exits++;
    },
  };
  return { process, interrupt: () => hear(), exits: () => exits };
}

describe('signals', () => {
  it('end the process at the second where nothing was written', () => {
    const { process, interrupt, exits } = machine();
    watchSignals(process);
    interrupt();
    expect(exits()).toBe(0);
    interrupt();
    expect([exits(), process.exitCode]).toEqual([1, 130]);
  });

  it('are heard by as many requests as are in flight', async () => {
    const { interrupted } = watchSignals(machine().process);
    const warned: string[] = [];
    const warn = ({ name }: Error) => warned.push(name);
    process.on('warning', warn);
    for (let n = 0; n < 50; n++) interrupted.addEventListener('abort', () => {});
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect([getEventListeners(interrupted, 'abort').length, warned]).toEqual([50, []]);
  });

  it('after a write has left end it at the third only, with its outcome as exit code', () => {
    const { process, interrupt, exits } = machine();
    const signals = watchSignals(process);
    const undo = signals.onSignal(() => {});
    signals.holdUntilTold(() => ({ text: 'cops: done', exitCode: 0 }));
    interrupt();
    undo();
    interrupt();
    expect(exits()).toBe(0);
    interrupt();
    expect([exits(), process.exitCode]).toEqual([1, 0]);
  });
});
