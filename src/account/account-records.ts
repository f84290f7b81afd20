import { join } from 'node:path';
import type { SharedPace } from '../service/http/pacer.js';
import type { GatedHistory, History } from './history/types.js';
import type { Gate } from './history/write-gate.js';
import type { JournalPlace, Runs } from './journal/types.js';
import type { SharedPaceOptions } from './pace/types.js';
import type { CountedWrites } from './policy/types.js';
import type { Team } from './team/team.js';

/** Where a command's records are, and its clock. */
export interface RecordsPlace {
  readonly configDir: string;
  readonly dataDir: string;
  readonly world: { now(): number };
  /** The team's ledger, if one is in use. */
  team?(): Promise<Team | undefined>;
}

/** The records of an account's writes, wherever they are stored. Opening them needs no network; using them may. */
export interface Records {
  /** The history, for reading and settling. */
  history(): Promise<History>;
  /** The history for beginning writes: each passes the gate before it is recorded. */
  gatedHistory(gate: Gate): Promise<GatedHistory>;
  /** The journal of a bulk run, by name. */
  journal(name: string): Promise<JournalPlace>;
  /** The bulk runs begun so far. */
  runs(): Promise<Runs>;
  /** What limits count. */
  countedWrites(): Promise<CountedWrites>;
  /** The pace that all users of a key share. */
  pace(options: SharedPaceOptions): Promise<SharedPace>;
}

/**
 * The records of an account: those of its team if a ledger is in use, otherwise files of this machine. Only this
 * function decides which kind to use; each kind is loaded on first use.
 */
export function accountRecords(place: RecordsPlace): Records {
  const own = recordsOfMachine(place);
  const chosen = async (): Promise<Records> => {
    const team = await place.team?.();
    return team ? (await import('./team/team-records.js')).teamRecords(team) : own;
  };
  return {
    history: async () => (await chosen()).history(),
    gatedHistory: async (gate) => (await chosen()).gatedHistory(gate),
    journal: async (name) => (await chosen()).journal(name),
    runs: async () => (await chosen()).runs(),
    countedWrites: async () => (await chosen()).countedWrites(),
    pace: async (options) => (await chosen()).pace(options),
  };
}

function recordsOfMachine({ configDir, dataDir, world }: RecordsPlace): Records {
  const now = () => world.now();
  const openHistory = async (gate?: Gate) =>
    (await import('./history/history.js')).openHistory(configDir, { now, dataDir, ...(gate ? { gate } : {}) });
  return {
    history: () => openHistory(),
    gatedHistory: openHistory,
    async journal(name) {
      const { journalFile, journalInFile } = await import('./journal/journal.js');
      return journalInFile(journalFile(name), { now, runsDir: join(dataDir, 'runs') });
    },
    async runs() {
      const { runsInFolder } = await import('./journal/runs-folder.js');
      return runsInFolder(dataDir, now);
    },
    async countedWrites() {
      const { FileLedger } = await import('./history/ledger.js');
      return new FileLedger(configDir, dataDir, now);
    },
    async pace(options) {
      const { sharedPace } = await import('./pace/shared-pace.js');
      return sharedPace({ ...options, folder: join(dataDir, 'pace'), now });
    },
  };
}
