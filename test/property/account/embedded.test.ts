import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openHistory } from '../../../src/account/history/history.js';
import { FileLedger } from '../../../src/account/history/ledger.js';
import type { Gate } from '../../../src/account/history/write-gate.js';
import { journalFile, journalInFile } from '../../../src/account/journal/journal.js';
import { sharedPace } from '../../../src/account/pace/shared-pace.js';
import type { Processes } from '../../../src/base/files/lock.js';
import { describeHistory, NOON } from './describe-history.js';
import { describeJournal, type JournalGround } from './describe-journal.js';
import { describeLimits } from './describe-limits.js';
import { describePace } from './describe-pace.js';

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

function journalGround(content?: Buffer): JournalGround {
  const machine = new Machine();
  const path = join(machine.folder, 'run.journal');
  if (content) writeFileSync(path, content);
  const ground: JournalGround = {
    now: NOON,
    join() {
      const { processes, die } = machine.start();
      const options = { now: () => ground.now, runsDir: join(machine.folder, 'runs'), processes };
      return { place: journalInFile(journalFile(path), options), die };
    },
    moments: () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    stoppedAt: async (moment) => journalGround(readFileSync(path).subarray(0, moment)),
    edited: async (change) => journalGround(change(readFileSync(path))),
    remove: () => machine.remove(),
  };
  return ground;
}

describeJournal('a file', async () => journalGround());

describeLimits('files', async () => {
  const machine = new Machine();
  const { folder } = machine;
  const ground = {
    now: NOON,
    configDir: folder,
    setPolicy: (text: string) => writeFileSync(join(folder, 'policy.yaml'), text),
    join() {
      const { processes, die } = machine.start();
      const now = () => ground.now;
      const counted = new FileLedger(folder, join(folder, 'data'), now, processes);
      return {
        counted: async () => counted,
        history: (gate: Gate) => openHistory(folder, { now, processes, gate }),
        die,
      };
    },
    remove: () => machine.remove(),
  };
  return ground;
});

describePace('a file', async () => {
  const machine = new Machine();
  const ground = {
    now: NOON,
    join: (rate: number) =>
      sharedPace({ folder: machine.folder, key: 'k', rate, now: () => ground.now, onFault: expect.unreachable }),
    remove: () => machine.remove(),
  };
  return ground;
});
