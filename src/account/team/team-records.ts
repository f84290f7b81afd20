import type { Gate } from '../history/write-gate.js';
import type { SharedPaceOptions } from '../pace/types.js';
import type { Team } from './team.js';
import { TeamHistory } from './team-history.js';
import { teamJournal, teamRuns } from './team-journal.js';
import { TeamWrites, teamPace } from './team-limits.js';

/** The records of a team, in its ledger. */
export function teamRecords(team: Team) {
  return {
    history: async () => new TeamHistory(team),
    gatedHistory: async (gate: Gate) => new TeamHistory(team, gate),
    journal: async (name: string) => teamJournal(team, name),
    runs: async () => teamRuns(team),
    countedWrites: async () => new TeamWrites(team),
    pace: async (options: SharedPaceOptions) => teamPace(team, options),
  };
}
