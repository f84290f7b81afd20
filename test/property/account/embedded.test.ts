import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '../../../src/account/history/history.js';
import type { Processes } from '../../../src/base/files/processes.js';
import { describeHistory, NOON } from './describe-history.js';

/** Processes of one machine, which a test starts and kills. */
class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'cops-records-'));
  readonly #alive = new Set<number>();
  #last = 0;

  start(): { readonly processes: Processes; die(): void } {
    const pid = ++this.#last;
    this.#alive.add(pid);
    return {
      processes: {
        self: { pid, started: `s${pid}`, host: 'h' },
        state: (id) => (this.#alive.has(id.pid) ? 'running' : 'gone'),
      },
      die: () => void this.#alive.delete(pid),
    };
  }

  async remove(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

describeHistory('files', async () => {
  const machine = new Machine();
  const ground = {
    now: NOON,
    join() {
      const { processes, die } = machine.start();
      return { history: openHistory(machine.folder, { now: () => ground.now, processes }), die };
    },
    remove: () => machine.remove(),
  };
  return ground;
});
