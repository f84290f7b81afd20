import type { Text } from '../base/text/command-line.js';
/**
 * The entry types of the catalogue. A family file is plain data that satisfies `Family` and imports only these types.
 * Names are the service's own words (service.md#paths). `wallet` is used even where the service may say another word
 * (`wallet_word` replaces it at the edge).
 */

import type { CheckName } from './check-names.js';

/**
 * The effect an operation can have on the outside world. Set per operation, never derived from the HTTP method
 * (command-line.md#writes).
 */
export type Risk = 'read' | 'write' | 'money' | 'irreversible';

/** The source of an entry: the spec, a published page, or only the naming convention. */
export type Evidence = 'spec' | 'published' | 'convention';

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any';

/** Formats checked beyond the type of a string or number. `id` is a 20-character identifier. */
export type FieldFormat =
  | 'id'
  | 'email'
  | 'date-time'
  | 'unix'
  | 'country'
  | 'currency'
  | 'url'
  | 'ipv4'
  | 'timezone'
  | 'cron'
  | 'digits'
  | 'code';

/** Milliseconds, seconds or days. */
export type SpanUnit = 'ms' | 's' | 'd';

/** A field of a body or an item. */
export interface Field {
  readonly type: FieldType;
  readonly format?: FieldFormat;
  readonly nullable?: true;
  /** An empty string is allowed in addition to the format: it removes the value. */
  readonly emptyOk?: true;
  readonly required?: true;
  /** Requested at a terminal if the line gives no body: not required, but the action is pointless without it. */
  readonly asked?: true;
  /** Never taken from the command line; masked wherever it is shown. */
  readonly secret?: true;
  /** Shown first in help, and offered as a typed option. */
  readonly common?: true;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: string | number | boolean;
  /** The members of an object. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** True for an object with other, unknown members: they pass with a note. */
  readonly open?: true;
  /** The elements of an array. */
  readonly items?: Field;
  /** A single element is accepted in place of the array. */
  readonly oneOk?: true;
  /**
   * Where an item, as read, holds the value that this field takes on a write: a dotted path into the item
   * (`frequency_unit.unit_value`); by default the same name. `id` at the end takes the id of an `{id, name}` object; an
   * array of such objects becomes an array of ids. By default, a field of format `id` also takes the id of an object
   * with an `id`.
   */
  readonly readFrom?: string;
  /**
   * Where an item holds the value this field needs to recreate it elsewhere, although no read shows what was written: a
   * dotted path with indices.
   */
  readonly movesFrom?: string;
  /** No read shows what was written: a secret, a fetched file, a form that was used up. */
  readonly unread?: true;
  /**
   * The family of the item that the value refers to: by its id, as an object that holds it, or as a list of either.
   * Several where the id decides which; empty for an id of something that has no family. Set only where the name does
   * not imply it (`references.ts`).
   */
  readonly refers?: readonly string[];
  /** For an item's field that refers: the relation word, if it differs from the field's name. */
  readonly relation?: string;
  /** For an item's list that refers: it holds only some of the items that refer back. */
  readonly part?: true;
  /** An action of the referenced family that must have finished before the item can be referred to here. */
  readonly ready?: string;
  /** For an id whose family depends on another field. */
  readonly refersBy?: ReferenceByKind;
  /** Accepts the item's name in place of its id (service.md#new-customers). */
  readonly nameOk?: true;
  /**
   * The effect of an edit that sends this field on the stored value, where the service documents it: `replaces`
   * replaces all of it, `merges` changes only the members sent, `upserts` changes or adds the elements sent, by name,
   * and keeps the rest. `editEffect` has the default for fields without one.
   */
  readonly onEdit?: EditEffect;
  /** The effects of sending it besides those of the operation. */
  readonly brings?: Brings;
  /** What to say after it was sent with a value, like `afterwards` of its operation. */
  readonly afterwards?: Text;
  /** The meaning of a number or string beyond its format. */
  readonly means?: 'money' | 'status' | 'share' | 'month' | 'day' | 'span' | 'count';
  /** The unit of a span. */
  readonly unit?: SpanUnit;
  /** Fields of the same kind that stay unchanged when only this one is edited; the user may have meant them too. */
  readonly beside?: readonly string[];
  /** For an object of an item: the family whose fields of the same names it copied; a later edit there leaves it as it was. */
  readonly copies?: string;
  /** Other names that people use for it: `brand` for a card's `type`. */
  readonly called?: readonly string[];
  /** The value of another field that such a name implies: `percent` is `discount_type=percent`. */
  readonly implies?: Readonly<Record<string, string>>;
  /** Words that people use for its values, each with the condition it stands for: `failed` is `>=400`, or `=a,b`. */
  readonly spoken?: Readonly<Record<string, string>>;
  /** By value: a condition that people mean by the same word, even if the field holds another value. */
  readonly besides?: Readonly<Record<string, string>>;
  readonly note?: string;
  /** For a reference that people take for more than it is: which items it leaves out. */
  readonly leaves?: string;
}

/** An id whose family depends on a kind. */
export interface ReferenceByKind {
  /** The neighbouring field that holds the kind (`item_type`). */
  readonly field: string;
  /** Kinds whose word is not the singular of a family. */
  readonly families?: Readonly<Record<string, string>>;
}

/** An operation that the service carries out because the body has a field, unless that is false or null. */
export interface Brings {
  /** Family and action, as on the command line: `sales void`. */
  readonly operation: string;
  /** The risk of that operation: sending the field is just as risky. */
  readonly risk: Risk;
  /** The body field that holds the id of the item; absent where the service chooses the items. */
  readonly on?: string;
}

/** The effect of an edit on the stored value of a field that it sends. */
export type EditEffect = 'replaces' | 'merges' | 'upserts';

/**
 * The nature of a family's items. Lists of `people` (customers and what they run) and of `set-up` show everything,
 * lists of an `event` the last 30 days (command-line.md#lists).
 */
export type Nature = 'event' | 'people' | 'set-up';

/** The name that people and setup files use for an item instead of its id. */
export interface NaturalKey {
  /** Path into the item as read. */
  readonly field: string;
  /** True where the service refuses a second item with the same value; otherwise all items must be checked. */
  readonly unique: boolean;
  /** Where uniqueness is documented, or what was observed instead. */
  readonly source: string;
}

export interface Body {
  /** True when the service accepts no other property (except `idempotency_key`, service.md#idempotency). */
  readonly closed: boolean;
  /** False when the end of the schema was never seen: unknown fields pass with a note. */
  readonly complete: boolean;
  /** False when the whole body may be omitted; then `{}` (plus the idempotency key) is sent. */
  readonly fields: Readonly<Record<string, Field>>;
}

/** A query parameter besides `date_start`, `date_end`, `limit` and `page`. */
export interface QueryField extends Pick<Field, 'required' | 'format' | 'enum' | 'refers' | 'note'> {
  readonly type: 'string' | 'integer' | 'boolean';
  /** May repeat, once per value (service.md#lists). */
  readonly many?: true;
  /** `metadata_filter`: sent as stringified `{name, value}` objects, all in the same form (service.md#lists). */
  readonly metadata?: true;
  /** An argument on the command line instead of an option (search terms, coupon codes). */
  readonly positional?: true;
}

/**
 * How a list is read.
 * - `windowed`: `date_start`, `date_end`, `limit`, `page`; the range is cut into windows of at most `spanDays`.
 * - `paged`: `limit`, `page`.
 * - `single`: no parameters; the one answer holds everything.
 * - `search`: one term, at most one answer.
 */
export interface List {
  readonly style: 'windowed' | 'paged' | 'single' | 'search';
  /** Longest range of one window, in days: the tightest limit in the spec or a published page. */
  readonly spanDays?: number;
  /** The last page the service serves (service.md#limits: AI assistants, 20). */
  readonly lastPage?: number;
  /**
   * The service deletes items after this many days (service.md#envelopes, service.md#limits), so nothing older can be
   * read.
   */
  readonly keepsDays?: number;
  /** No evidence that this list takes dates: it is treated as date-ranged, and `--no-range` overrides that. */
  readonly datesUnproven?: true;
  /** Each request that reads it adds an item, so a range up to now ends where the command began. */
  readonly growsByReading?: true;
}

/** How to check a single `{x}` in a path. */
export type PathParam = 'id' | 'key' | 'table';

/** The facts that a refund or another risky operation shows before it asks (command-line.md#writes). */
export interface Preview {
  /** Item paths worth showing, in order, each with a label. */
  readonly show: readonly { readonly path: string; readonly label: string }[];
  /** For refunds: the remaining amount is the original minus refunds. */
  readonly refund?: true;
  /** Consequences to mention in the question. */
  readonly says: readonly string[];
  /** Whether and how it can be undone; without it, an irreversible operation says that it cannot be. */
  readonly undo?: string;
  /** A narrower or better operation to suggest, as a command line without `cops`. */
  readonly narrower?: string;
}

/** An operation that only starts something, and how to tell that it has ended (`--wait`). */
export interface Wait {
  /** Family and action that read the progress. */
  readonly read: { readonly family: string; readonly action: string };
  /** The answer field that holds the id to read; by default the operation's own id. */
  readonly idFrom?: string;
  /**
   * The item field that shows the state, and the values that mean success and failure (lower case; `*` is any value).
   */
  readonly field: string;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** Shortest possible duration, in seconds: the first poll comes no sooner. */
  readonly atLeastSeconds?: number;
  /** Longest wait, in seconds. */
  readonly limitSeconds: number;
}

/** Items of another family that an item refers to by id, and that can be read along with it (`--with`). */
export interface Relation {
  /** The family whose `get` reads them. */
  readonly family: string;
  /** Dotted paths into the item that hold the id or a list of ids; all of them count. */
  readonly from: readonly string[];
  /** There is at most one: shown as an object, not a list. */
  readonly one?: true;
  /** Path in the item to the newest id: decides which end of the list is read when not all are. */
  readonly newest?: string;
}

export interface Operation {
  /**
   * The words after the family on the command line, with dashes for underscores: `list`, `payment-methods set-default`.
   */
  readonly action: string;
  readonly method: 'GET' | 'POST';
  /** The path with `{name}` placeholders, as in service.md#paths. */
  readonly path: string;
  /** The name in the published description; empty where none was seen. */
  readonly operationId: string;
  readonly summary: string;
  readonly risk: Risk;
  /**
   * The amount that a risky operation moves, where its name does not say: none directly, or everything left on its
   * item.
   */
  readonly moves?: 'nothing' | 'item';
  /** Operations on related items that the service also performs, if such items exist: `subscriptions cancel`. */
  readonly entails?: readonly string[];
  /**
   * The side effects of body fields, by field name: those of its own body and of the family's other bodies, most of
   * which are only partly documented. Derived from the fields (`conventions.ts`).
   */
  readonly brings?: Readonly<Record<string, Brings>>;
  /** Kinds of the path placeholders that are not 20-character ids. */
  readonly params?: Readonly<Record<string, PathParam>>;
  readonly list?: List;
  /** Columns for things that belong to the family's items but are not items themselves (payment methods, images). */
  readonly columns?: readonly Column[];
  readonly query?: Readonly<Record<string, QueryField>>;
  /** Absent on a POST that takes only the path: `{}` (plus the idempotency key) is sent. */
  readonly body?: Body;
  /**
   * Fields that reads and sibling operations show, but nothing says a write takes: our assumption. They pass with a
   * note, like every undocumented field; setup files and the sandbox rely on them.
   */
  readonly assumed?: Readonly<Record<string, Field>>;
  /**
   * Fields whose names, or whose use in a write, we only assume (those of an order). Their values are checked wherever
   * given; no template, help or setup file offers them.
   */
  readonly further?: Readonly<Record<string, Field>>;
  /** We assume that no other field can be written: the sandbox refuses it by name, the client passes it on. */
  readonly noOther?: true;
  /** The body field given as an argument on the command line: text, `@file` or `-` (`bigquery query <sql>`). */
  readonly positionalBody?: string;
  /**
   * The body field that holds SQL: the operation is a read only if that is provably a query (`account/safety/sql.ts`).
   */
  readonly sqlBody?: string;
  /** Shortest idempotency key that protects, if not 10 (service.md#idempotency: assistants, 11). */
  readonly keyMinLength?: number;
  /** The answer field that names the resource (`subscription_id`). */
  readonly answerId?: string;
  /** The permission a restricted key needs (service.md#permissions); absent where the spec shows none. */
  readonly permission?: string;
  readonly preview?: Preview;
  /** A remark to show once it is done; `<id>` is its first id and `<new>` the id in the answer. */
  readonly afterwards?: Text;
  /** Relations to rows that still fall due after this operation. */
  readonly leaves?: readonly string[];
  /** What to do instead of what the service refuses in a state of the item; `<path>` is a value of the item. */
  readonly refusedIn?: Readonly<Record<string, Text>>;
  /** Item states in which this does nothing or is refused: such an item comes last among several candidates. */
  readonly notWhile?: readonly string[];
  /** `--latest` may choose among a person's items, as for a refund. */
  readonly latest?: true;
  readonly wait?: Wait;
  /** The item field (dotted path) that shows that this was done, where neither `status` nor the sent fields do. */
  readonly shownBy?: string;
  /** On a family's `get`: what `--with` can read along, by relation word. */
  readonly related?: Readonly<Record<string, Relation>>;
  /** Names of the documented checks to run before sending (`request/checks`); all are in `check-names.ts`. */
  readonly checks?: readonly CheckName[];
  /** The answer means accepted, not paid back, and the output says so (service.md#payments and lifecycle rules). */
  readonly acceptedOnly?: true;
  /** Short sentences for help. */
  readonly rules: readonly string[];
  /** One runnable command line, without the leading `cops`. */
  readonly example: string;
  readonly evidence: Evidence;
}

export interface Column {
  /** Dotted path into the item. */
  readonly path: string;
  readonly title?: string;
  /** The meaning of the values, where no field of the family gives it. */
  readonly means?: Field['means'];
  /**
   * How a table shows the value (`prose` wraps and is never cut); machine formats always show the value as received.
   */
  readonly as?: 'time' | 'money' | 'status' | 'flag' | 'text' | 'prose';
  /** A table shows instead the state that the item's values imply (`items/select/states.ts`). */
  readonly state?: 'renewal' | 'buyer';
  /** Values of another field that make this one meaningless: a table then leaves it empty. */
  readonly unless?: { readonly path: string; readonly values: readonly string[] };
  /** Identifies the row: a table never cuts it, and drops other columns first. */
  readonly whole?: true;
  /** The hour tells the rows apart: it is dropped only as a last resort. */
  readonly hours?: true;
}

/** A future time at which something happens to an item by itself, as long as its state allows it. */
export interface Due {
  readonly path: string;
  /** `next renewal`, `end`. */
  readonly says: string;
  readonly while?: { readonly path: string; readonly values: readonly string[] };
}

/** How to find a related item of another family that no field refers to. */
export interface RelationRule {
  readonly name: 'default_card' | 'last_paid';
  /** The family it leads to. */
  readonly to: string;
  /** Relation words from the item to the candidates: `customer.customer_cards`. */
  readonly via: string;
  /** The relation word from the chosen candidate to the result, if it is not itself the result. */
  readonly choice?: string;
  /** The rule in words. */
  readonly says: string;
}

/** An operation with its family. */
export interface FamilyOperation {
  readonly family: Family;
  readonly operation: Operation;
}

export interface Family {
  /** The first word of the path: `subscription_profiles`. */
  readonly name: string;
  readonly summary: string;
  /** Table columns, in order; `id` first. */
  readonly columns: readonly Column[];
  /** The field that identifies an item (`id`, `key` for key values, `table_name` for tables). */
  readonly idField: string;
  readonly nature: Nature;
  /** The fields that name an item, best first: files use the first, lookups accept all. */
  readonly keys: readonly NaturalKey[];
  /** Known item fields (service.md#envelopes), for help, `explain` and typed exports. Unknown ones always pass. */
  readonly item?: Readonly<Record<string, Field>>;
  /** Other fields that items may show: our assumption, never seen described. */
  readonly assumed?: Readonly<Record<string, Field>>;
  /** The spec shows the item's fields; otherwise their evidence is that of its `get`. */
  readonly shape?: 'spec';
  /** Other plural words that people and relations use for its items: `renewals`. */
  readonly words?: readonly string[];
  /** Items of other families that we infer to belong to an item, by relation word. */
  readonly ruled?: Readonly<Record<string, RelationRule>>;
  /**
   * States in which an item still waits for something. A list of events filtered by one of them has no start date and
   * covers all time.
   */
  readonly open?: readonly string[];
  /**
   * The related row that an item gets when it enters a state, by state: as `--with` takes it, up to that row's time.
   */
  readonly since?: Readonly<Record<string, string>>;
  /** Why a sum over its items is not the total income, in one sentence; absent where nobody would mistake it. */
  readonly apart?: string;
  /** The event that happens automatically at a time that items show; absent where nothing is due. */
  readonly due?: Due;
  /** A technical record, not business data, with very many items: copies of all lists omit it unless it is named. */
  readonly onlyNamed?: true;
  /** Why its items cannot be kept as files although they can be created here; absent where they can. */
  readonly unmanaged?: string;
  /** Fields that an item shows but no create or edit takes, with their origin: they do not move with the item. */
  readonly left?: Readonly<Record<string, string>>;
  /**
   * Item fields that refer to objects whose list contains the item: writing that list adds it. Maps a field to the
   * family and its list.
   */
  readonly joins?: Readonly<Record<string, { readonly family: string; readonly field: string }>>;
  /** Actions that people look for here but that do not exist, and what to do instead. */
  readonly instead?: Readonly<Record<string, Text>>;
  readonly operations: readonly Operation[];
}
