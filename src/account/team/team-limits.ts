import type { SharedPace } from '../../service/http/pacer.js';
import type { SharedPaceOptions } from '../pace/types.js';
import type { Counted, CountedWrites } from '../policy/types.js';
import type { Team } from './team.js';

/** A team's writes, as limits count them. */
export class TeamWrites implements CountedWrites {
  constructor(private readonly team: Team) {}

  async now(): Promise<number> {
    return Math.floor(await this.team.clock());
  }

  exclusively<T>(deed: () => Promise<T>): Promise<T> {
    return this.team.exclusively('limits', deed);
  }

  async since(moment: number): Promise<readonly Counted[]> {
    const sql = `SELECT id, floor(extract(epoch FROM at) * 1000), profile, credential,
        (SELECT mode FROM $.ledger), operation, also::text, who, amount::text, currency
      FROM $.intent WHERE at >= to_timestamp($1::numeric / 1000) AND state <> 'not_done' ORDER BY n`;
    const { rows } = await this.team.query(sql, [String(moment)]);
    return rows.map(([id, time, profile, credential, mode, operation, also, who, amount, currency]) => ({
      id: String(id),
      time: Number(time),
      profile: String(profile),
      credential: String(credential),
      mode: String(mode),
      operation: String(operation),
      ...(also === null ? {} : { also: JSON.parse(String(also)) as Counted['also'] }),
      who: who === 'agent' ? ('agent' as const) : ('person' as const),
      ...(amount === null ? {} : { amount: String(amount), currency: String(currency) }),
    }));
  }
}

/** The pace of all who use the ledger. While the ledger is away, this process uses half of it. */
export function teamPace(team: Team, { rate, onFault }: SharedPaceOptions): SharedPace {
  let isTold = false;
  /** When the next turn begins while the ledger is away, by the steady clock. */
  let next = 0;
  const alone = (error: unknown, wanted: number): readonly number[] => {
    if (!isTold) onFault((error as Error).message);
    isTold = true;
    const now = performance.now();
    next = Math.max(now, next);
    const spacing = 2000 / rate;
    const waits = Array.from({ length: Math.min(wanted, Math.max(1, Math.floor(50 / spacing))) }, (_, at) => {
      return next - now + at * spacing;
    });
    next += waits.length * spacing;
    return waits;
  };
  return {
    async reserve(wanted) {
      try {
        const { rows } = await team.query('SELECT $.take_turns($1, $2)', [wanted, rate]);
        const [, list = ''] = /^\{(.*)\}$/.exec(String(rows[0]?.[0])) ?? [];
        return list.split(',').map((ms) => Math.max(0, Number(ms)));
      } catch (error) {
        return alone(error, wanted);
      }
    },
    async pause(ms) {
      next = Math.max(next, performance.now() + ms);
      await team.query('SELECT $.pause_turns($1, $2)', [ms, rate]).catch(() => undefined);
    },
  };
}
