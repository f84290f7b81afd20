import type { Begun, KnownIntent, RowIntent, Trail } from '../../../src/account/history/types.js';
import type { Journal } from '../../../src/account/journal/types.js';
import { compareWithHistory } from '../../../src/bulk/compare-history.js';
import { RowMarks } from '../../../src/bulk/hashes.js';
import { ROWS, tagOf } from './world.js';

/** The history of one run in memory: its intents in order, and how those ended that have an end. */
export class Remembered {
  intents: KnownIntent[] = [];
  ended = new Map<string, string>();
  #count = 0;

  constructor(private readonly now: () => number) {}

  /** The trail of one process; what is dead writes nothing more. */
  trail(isDead: () => boolean): Trail {
    const pending = (id: string): Begun => ({
      pending: {
        id,
        finish: async ({ outcome }) => {
          if (!isDead() && !this.ended.has(id)) this.ended.set(id, outcome);
        },
      },
    });
    const plan = ({ tag, key }: RowIntent) => {
      const id = `h${String(++this.#count).padStart(15, '0')}`;
      const intent = { id, like: tag, time: new Date(this.now()).toISOString(), ...(key === undefined ? {} : { key }) };
      const begin = async (): Promise<Begun> => {
        // What is dead waits for ever.
        if (isDead()) await new Promise(() => {});
        this.intents.push(intent);
        return pending(id);
      };
      return { id, begin };
    };
    return {
      plan,
      reopen: async (id) => pending(id),
      recall: async (id) => pending(id).pending,
    };
  }

  async guard(journal: Journal, isDead: () => boolean) {
    const marks = new RowMarks();
    for (let row = 1; row <= ROWS; row++) marks.add(tagOf(row));
    const { intents, ended } = this;
    const compared = await compareWithHistory(
      journal.state,
      marks,
      async function* () {
        yield* intents;
      },
      async (ids) => new Map([...ended].filter(([id]) => ids.has(id))),
    );
    return { history: this.trail(isDead), compared };
  }

  /** Some of it is gone: its end, or lines in its middle. */
  damage(roll: () => number): void {
    const { intents } = this;
    if (roll() < 0.5) this.intents = intents.slice(0, Math.floor(roll() * (intents.length + 1)));
    else this.intents = intents.filter(() => roll() < 0.8);
    if (roll() < 0.5) this.ended = new Map([...this.ended].filter(() => roll() < 0.7));
  }
}

/** Ways in which a file goes bad. */
export function damaged(bytes: Buffer, older: readonly Buffer[], roll: () => number): Buffer {
  const at = Math.floor(roll() * bytes.length);
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  const line = Math.floor(roll() * lines.length);
  const joined = (some: readonly string[]): Buffer => Buffer.from(some.join(''), 'latin1');
  const ways: (() => Buffer)[] = [
    () => bytes.subarray(0, at),
    () => joined(lines.slice(0, line)),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(bytes.length - at)]),
    () => {
      const changed = Buffer.from(bytes);
      const last = bytes.length - 1 - Math.floor(roll() * Math.min(bytes.length, 120));
      changed[last] = (changed[last] ?? 0) ^ (1 << Math.floor(roll() * 8));
      return changed;
    },
    () => joined(lines.toSpliced(line, 1)),
    () => joined(lines.toSpliced(line, 0, lines[line] ?? '')),
    () => joined(lines.slice(0, -1)),
    () => older[Math.floor(roll() * older.length)] ?? bytes,
  ];
  return (ways[Math.floor(roll() * ways.length)] as () => Buffer)();
}
