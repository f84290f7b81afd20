import { isoTime } from '../../base/time/units.js';

/** Something that happened to an item of the account. */
export interface AccountEvent {
  /** Its position in the source. */
  readonly row: number;
  readonly id: string;
  /** `sale.created.success`; `sales.changed` for a derived event that does not prove one of the service. */
  readonly type: string;
  /** Unix seconds. */
  readonly at: number;
  readonly family: string;
  readonly itemId: string;
  readonly mode: 'test' | 'live';
  /** Derived from two looks at the item, because no event of the service is known. */
  readonly derived: boolean;
  /** The item at both looks, as JSON; only for derived events. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The suffix after the family's name in derived events that prove no event of the service. */
export const DERIVED = ['created', 'changed', 'gone'] as const;

/** A source of events in a stable order. */
export interface EventSource {
  /**
   * Identifies the data that the rows count; other data starts counting again. Undefined while the data is being made.
   */
  identity(): string | undefined;
  /** Reads what has happened so far. */
  refresh(): Promise<void>;
  /** The row after which every event is new. */
  begin(): number;
  /** The row of the newest event. */
  last(): number;
  /** The row after which the events since a moment (unix seconds) begin. */
  before(unix: number): number;
  /** The next events after a row, at most a few hundred; empty at the end. */
  after(row: number): readonly AccountEvent[];
  /** All events of a range (unix seconds), oldest first. */
  within(range: { readonly start: number; readonly end: number }): Iterable<AccountEvent>;
  find(id: string): AccountEvent | undefined;
  /** Milliseconds between two looks. */
  readonly lookMs: number;
  close(): Promise<void>;
}

/**
 * Events with the same key are delivered in order: the first word of the type (the list, for a derived event) and the
 * item's id.
 */
export function itemOf({ type, family, itemId, derived }: AccountEvent): string {
  return `${derived ? family : type.replace(/\..*/s, '')} ${itemId}`;
}

/** Whether an event is one of these types or below one of them; true for any event if none is named. */
export function isWanted(type: string, notations: readonly string[]): boolean {
  return notations.length === 0 || notations.some((one) => type === one || type.startsWith(`${one}.`));
}

/** The exact text of an event that is signed and sent. Items in it keep their digits. */
export function eventBody(event: AccountEvent): string {
  const { id, type, at, family, itemId, mode, derived, before, after } = event;
  const data = JSON.stringify({ family, item_id: itemId, mode, derived }).slice(0, -1);
  const states = [before && `,"before":${before}`, after && `,"after":${after}`].filter(Boolean).join('');
  return `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"timestamp":"${isoTime(at)}","data":${data}${states}}}`;
}

/** The body of an event whose item had an earlier event set aside: the receiver has not seen the whole sequence. */
export function bodyAfterFailed(body: string): string {
  return `${body.slice(0, -2)},"after_failed":true}}`;
}

const text = { type: 'string' } as const;

/** What a receiver gets. */
export const EVENT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'An event of the account, as cops events sends it',
  type: 'object',
  required: ['id', 'type', 'timestamp', 'data'],
  additionalProperties: false,
  properties: {
    id: { ...text, description: 'the same at each attempt and in the webhook-id header' },
    type: {
      ...text,
      description: 'what happened: sale.created.success, or sales.changed if no more is known',
    },
    timestamp: {
      ...text,
      format: 'date-time',
      description: 'when it happened, or for a derived event when it was seen',
    },
    data: {
      type: 'object',
      required: ['family', 'item_id', 'mode', 'derived'],
      additionalProperties: false,
      properties: {
        family: { ...text, description: 'the list that contains the item' },
        item_id: text,
        mode: { enum: ['test', 'live'] },
        derived: { type: 'boolean', description: 'true if derived from two looks at the item' },
        before: { type: 'object', description: 'the item at the previous look; only in derived events' },
        after: { type: 'object', description: 'the item at this look; only in derived events' },
        after_failed: { const: true, description: 'delivery of an earlier event of this item was given up' },
      },
    },
  },
} as const;
