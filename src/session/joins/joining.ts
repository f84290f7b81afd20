import type { Lossless } from '../../items/json/lossless.js';
import type { Joining, Side } from '../../items/select/joined.js';
import { putAt } from '../../items/select/values.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import { FarRows, type SharedLists } from './far-rows.js';
import { Joiner } from './joiner.js';
import type { KeptRows } from './kept-rows.js';
import type { LineJoins } from './line-joins.js';
import { meetsSide, type SideAsked } from './sides.js';
import { putTally } from './tallies.js';

/** Leads from items to values of related rows, by paths. */
type Ways = Pick<LineJoins, 'roads' | 'tallies'>;

/** Brings the related rows that a line requests to its items. */
export class LineJoining implements Joining {
  readonly sides: readonly Side[];

  private constructor(
    readonly joiner: Joiner,
    readonly ways: Ways,
    sides: readonly SideAsked[],
  ) {
    this.sides = sides.map((asked) => ({
      text: `--${asked.option} '${asked.text}'`,
      meets: (items) => meetsSide(joiner, asked, items),
    }));
  }

  static open(
    context: Context,
    reader: Reader,
    { sides = [], ...ways }: Ways & { readonly sides?: readonly SideAsked[] },
    { lists, kept }: { readonly lists?: SharedLists | undefined; readonly kept?: KeptRows | undefined } = {},
  ): LineJoining {
    const joiner = new Joiner(context, new FarRows(context, reader, lists, kept));
    return new LineJoining(joiner, ways, sides);
  }

  /** The same rows on other ways. */
  onWays(ways: Ways): LineJoining {
    return new LineJoining(this.joiner, ways, []);
  }

  isFar(path: string): boolean {
    return this.ways.roads.has(path) || this.ways.tallies.has(path);
  }

  bringOwn(item: Lossless, path: string): boolean {
    const road = this.ways.roads.get(path);
    const values = road && this.joiner.carried(item, road);
    if (values) putAt(item, path, values);
    return values !== undefined;
  }

  async bring(items: readonly Lossless[], paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const road = this.ways.roads.get(path);
      if (road) await this.joiner.put(items, road);
      const tally = this.ways.tallies.get(path);
      if (tally) await putTally(this.joiner, items, path, tally);
    }
  }
}
