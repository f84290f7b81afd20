import type { Stored } from '../store/item-store.js';
import { familyOfItem } from '../store/kinds.js';
import type { OpenedSandbox } from '../store/open-store.js';
import { readMeta } from '../store/store-tables.js';

/** An account event of the sandbox, with its position in storage order. */
export type LoggedEvent = ReturnType<typeof logged>;

const FAMILY = 'site_events';

/**
 * The account events of one mode in the order in which they happened. Events are never removed one by one, only with
 * all data.
 */
export class EventLog {
  constructor(
    readonly opened: OpenedSandbox,
    readonly live: boolean,
  ) {}

  /** Changes whenever the data is recreated or restored; undefined meanwhile. */
  identity(): string | undefined {
    if (!this.opened.isReady()) return undefined;
    return readMeta(this.opened.database, 'generation') ?? '';
  }

  /** The row before everything that has happened since the data was created or restored. */
  begin(): number {
    return Number(readMeta(this.opened.database, 'begin') ?? this.last());
  }

  /** The row of the newest event; 0 if there is none. */
  last(): number {
    const { store, database } = this.opened;
    const read = database.prepare('SELECT max(seq) FROM items WHERE kind = ?');
    return Number(read.get(store.kind(FAMILY, this.live))?.[0] ?? 0);
  }

  /** The row after which the events since a moment (unix seconds) begin. */
  before(unix: number): number {
    const { store, database } = this.opened;
    const read = database.prepare('SELECT min(seq) FROM items WHERE kind = ? AND created >= ?');
    const first = read.get(store.kind(FAMILY, this.live), unix)?.[0];
    return first === null || first === undefined ? this.last() : Number(first) - 1;
  }

  /** The next events after a row, at most a few hundred; empty at the end. */
  after(row: number): LoggedEvent[] {
    for (let behind = row; ; ) {
      const filed = this.opened.store.filedAfter(FAMILY, this.live, behind);
      const events = filed.filter(isAccountEvent);
      const last = filed.at(-1);
      if (events.length > 0 || last === undefined) return events.map(logged);
      behind = last.seq;
    }
  }

  /** All events of a range (unix seconds), oldest first. */
  *within(range: { readonly start: number; readonly end: number }): Generator<LoggedEvent> {
    for (const item of this.opened.store.scan(FAMILY, this.live, range)) if (isAccountEvent(item)) yield logged(item);
  }

  /** The event with an id. */
  find(id: string): LoggedEvent | undefined {
    const found = this.opened.store.get(FAMILY, id, this.live);
    return found && isAccountEvent(found) ? logged(found) : undefined;
  }
}

const isAccountEvent = ({ value }: Stored): boolean => value.type === 'account_event';

function logged({ seq, id, created, value }: Stored) {
  const type = String(value.item_type);
  return {
    row: seq,
    id,
    notation: String(value.notation),
    /** Unix seconds on the sandbox's clock. */
    created,
    family: familyOfItem(type) ?? type,
    itemId: String(value.item_id),
  };
}
