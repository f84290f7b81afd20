import { isoTime } from '../../base/time/units.js';

/** Something that happened to an item of the account. */
export interface AccountEvent {
  /** Its place in the order of its source. */
  readonly row: number;
  readonly id: string;
  /** `sale.created.success`; of a derived one that proves none, `sales.changed`. */
  readonly type: string;
  /** Unix seconds. */
  readonly at: number;
  readonly family: string;
  readonly itemId: string;
  readonly mode: 'test' | 'live';
  /** Worked out from two looks at the item; the service raised no event that is known. */
  readonly derived: boolean;
  /** The item at both looks, as JSON; of a derived event alone. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** What a derived event says of an item where the change proves no event of the service: behind its family's name. */
export const DERIVED = ['created', 'changed', 'gone'] as const;

/** Where events come from, in an order that stays. */
export interface EventSource {
  /** Which data the rows count: another one counts from a beginning of its own. Undefined while it is being made. */
  identity(): string | undefined;
  /** Brings in what has happened by now. */
  refresh(): Promise<void>;
  /** The row behind which everything is news since this identity began. */
  begin(): number;
  /** The row of the newest event. */
  last(): number;
  /** The row behind which the events since a moment lie, unix seconds. */
  before(unix: number): number;
  /** The next events behind a row, some hundred at most; none where there are no more. */
  after(row: number): readonly AccountEvent[];
  /** All of a range, unix seconds, oldest first. */
  within(range: { readonly start: number; readonly end: number }): Iterable<AccountEvent>;
  find(id: string): AccountEvent | undefined;
  /** How long to wait between two looks, milliseconds. */
  readonly lookMs: number;
  close(): Promise<void>;
}

/** Events of one item are delivered one after the other: its type's first word, or of a derived one its list, and its id. */
export function itemOf({ type, family, itemId, derived }: AccountEvent): string {
  return `${derived ? family : type.replace(/\..*/s, '')} ${itemId}`;
}

/** Whether an event is one of these or below one of them; each is, where none is named. */
export function isWanted(type: string, notations: readonly string[]): boolean {
  return notations.length === 0 || notations.some((one) => type === one || type.startsWith(`${one}.`));
}

/** An event as it is sent, the exact text that is signed. Items in it keep their digits. */
export function eventBody(event: AccountEvent): string {
  const { id, type, at, family, itemId, mode, derived, before, after } = event;
  const data = JSON.stringify({ family, item_id: itemId, mode, derived }).slice(0, -1);
  const states = [before && `,"before":${before}`, after && `,"after":${after}`].filter(Boolean).join('');
  return `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"timestamp":"${isoTime(at)}","data":${data}${states}}}`;
}

/** The body of an event whose item had an earlier one set aside: the receiver has not seen all that led here. */
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
    id: { ...text, description: 'the same at each attempt, and in the header webhook-id' },
    type: {
      ...text,
      description: 'what happened: sale.created.success, or sales.changed where that is all that is known',
    },
    timestamp: { ...text, format: 'date-time', description: 'when it happened, or was seen where it is derived' },
    data: {
      type: 'object',
      required: ['family', 'item_id', 'mode', 'derived'],
      additionalProperties: false,
      properties: {
        family: { ...text, description: 'the list that the item is in' },
        item_id: text,
        mode: { enum: ['test', 'live'] },
        derived: { type: 'boolean', description: 'worked out from two looks at the item' },
        before: { type: 'object', description: 'the item at the look before; of a derived event alone' },
        after: { type: 'object', description: 'the item as it was seen now; of a derived event alone' },
        after_failed: { const: true, description: 'an earlier event of this item was given up and set aside' },
      },
    },
  },
} as const;
