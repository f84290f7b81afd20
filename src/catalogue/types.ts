import type { Text } from '../base/text/command-line.js';
/**
 * The entry types of the catalogue. A family file is plain data that satisfies `Family`; it imports nothing
 * but these types. Names are the service's own words (service.md#paths), so `wallet` stands where the service
 * may say another word (`wallet_word` replaces it at the edge).
 */

import type { CheckName } from './check-names.js';

/** What an operation can do to the outside world, by operation and never by HTTP method (command-line.md#writes). */
export type Risk = 'read' | 'write' | 'money' | 'irreversible';

/** Where the facts of an entry come from: the spec, a published page, or only the naming convention. */
export type Evidence = 'spec' | 'published' | 'convention';

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any';

/** Forms of a string (or number) that are checked beyond its type. `id` is a 20-character identifier. */
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
  | 'digits';

/** Milliseconds, seconds or days. */
export type SpanUnit = 'ms' | 's' | 'd';

/** One field of a body, or of an item. */
export interface Field {
  readonly type: FieldType;
  readonly format?: FieldFormat;
  readonly nullable?: true;
  /** An empty string is taken beside the form: it removes the value. */
  readonly emptyOk?: true;
  readonly required?: true;
  /** Never taken from the command line, masked wherever it is shown. */
  readonly secret?: true;
  /** Shown first in help and offered as a typed option. */
  readonly common?: true;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: string | number | boolean;
  /** Fields of an object. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** True for an object whose further fields are not known: unknown ones pass with a note. */
  readonly open?: true;
  /** Elements of an array. */
  readonly items?: Field;
  /** One element is taken in place of the array. */
  readonly oneOk?: true;
  /**
   * Where an item that was read holds the value that this field takes when written: a dotted path into the
   * item (`frequency_unit.unit_value`), or the same name when absent. `id` at the end takes the id of an
   * `{id, name}` object; an array of such objects becomes an array of ids. Where it is absent, a field of
   * format `id` whose item value is an object with an `id` takes that id as well.
   */
  readonly readFrom?: string;
  /**
   * Where an item holds what this field takes to make the like of it elsewhere, though no read shows what was written:
   * a dotted path with indices.
   */
  readonly movesFrom?: string;
  /** No read shows what was written: a secret, a file that is fetched, a form that was used up. */
  readonly unread?: true;
  /**
   * The family whose item the value names: by its id, as an object that holds it, or as a list of either. Several
   * where the id tells which; none where it is the id of something that has no family. Told only where the name does
   * not say it (`references.ts`).
   */
  readonly refers?: readonly string[];
  /** Of an item's field that refers: the word of the relation, where its name is not that. */
  readonly relation?: string;
  /** Of an item's list that refers: it names some only of those that name the item. */
  readonly part?: true;
  /** Action of the family referred to that must have come to its end before the item can be named here. */
  readonly ready?: string;
  /** For an id whose family another field says. */
  readonly refersBy?: ReferenceByKind;
  /** The item's name is taken in place of its id (service.md#new-customers). */
  readonly nameOk?: true;
  /**
   * What an edit that sends this field does with the stored value, where the service says it: `replaces` takes the
   * place of all of it, `merges` changes only the members sent, `upserts` changes or adds the elements sent by their
   * name and keeps the rest. `editEffect` knows the reading for fields that say nothing.
   */
  readonly onEdit?: EditEffect;
  /** What sending it does beside the operation itself. */
  readonly brings?: Brings;
  /** What a number or text means beyond its form. */
  readonly means?: 'money' | 'status' | 'share' | 'month' | 'day' | 'span' | 'count';
  /** Of a span: what its number counts. */
  readonly unit?: SpanUnit;
  /** Fields of its kind that stay as they are where only this one is edited: who edits it may mean them too. */
  readonly beside?: readonly string[];
  /** Other names that people give it: `brand` of a card's `type`. */
  readonly called?: readonly string[];
  /** Words that people say of it, each with the condition that it stands for: `failed` is `>=400`. */
  readonly spoken?: Readonly<Record<string, string>>;
  readonly note?: string;
}

/** An id that goes with a kind of item. */
export interface ReferenceByKind {
  /** The field beside it that says the kind (`item_type`). */
  readonly field: string;
  /** Kinds whose word is not the singular of a family. */
  readonly families?: Readonly<Record<string, string>>;
}

/** An operation that the service carries out because a body has a field, unless that is false or null. */
export interface Brings {
  /** Family and action as on the command line: `sales void`. */
  readonly operation: string;
  /** The risk of that operation: sending the field is as grave. */
  readonly risk: Risk;
  /** Body field that holds the id of the item; absent where the service picks the items. */
  readonly on?: string;
}

/** What an edit does with the stored value of a field that it sends. */
export type EditEffect = 'replaces' | 'merges' | 'upserts';

/**
 * What a family holds. Lists of `people` (customers and what they run) and of `set-up` show everything there is,
 * lists of an `event` the last 30 days (command-line.md#lists).
 */
export type Nature = 'event' | 'people' | 'set-up';

/** What people, and files of a set-up, call an item by instead of its id. */
export interface NaturalKey {
  /** Path into the item as it is read. */
  readonly field: string;
  /** True where the service refuses a second item with the same value; else it is proven by looking at all items. */
  readonly unique: boolean;
  /** Where uniqueness is said, or what was seen instead. */
  readonly source: string;
}

export interface Body {
  /** True when the service takes no property but these (`idempotency_key` apart, service.md#idempotency). */
  readonly closed: boolean;
  /** False when the end of the schema was not seen: unknown fields pass with a note. */
  readonly complete: boolean;
  /** False when the whole body may be left out; `{}` (plus the idempotency key) is sent then. */
  readonly fields: Readonly<Record<string, Field>>;
}

/** A query parameter besides `date_start`, `date_end`, `limit` and `page`. */
export interface QueryField {
  readonly type: 'string' | 'integer' | 'boolean';
  /** Repeated for several values (service.md#lists). */
  readonly many?: true;
  readonly required?: true;
  readonly format?: FieldFormat;
  readonly enum?: readonly string[];
  /** `metadata_filter`: sent as stringified `{name, value}` objects, one form only (service.md#lists). */
  readonly metadata?: true;
  /** As on a `Field`. */
  readonly refers?: readonly string[];
  /** Positional on the command line instead of an option (search terms, coupon codes). */
  readonly positional?: true;
  readonly note?: string;
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
  /** Longest range of one window, days: the tightest that the spec or a published page gives. */
  readonly spanDays?: number;
  /** The service serves no page after this one (service.md#limits: AI assistants, 20). */
  readonly lastPage?: number;
  /** The service forgets its items after this many days (service.md#envelopes, service.md#limits): nothing older can be read. */
  readonly keepsDays?: number;
  /** Dates were never seen for this list: it is treated as date-ranged, `--no-range` overrules. */
  readonly datesUnproven?: true;
  /** Each request that reads it adds an item: up to now, it ends where the command began. */
  readonly growsByReading?: true;
}

/** How a single `{x}` of a path is checked. */
export type PathParam = 'id' | 'key' | 'table';

/** What a refund or another grave operation shows before it asks (command-line.md#writes). */
export interface Preview {
  /** Item paths worth showing, in order, with their label. */
  readonly show: readonly { readonly path: string; readonly label: string }[];
  /** For refunds: what is left is original minus refunded. */
  readonly refund?: true;
  /** Said in the question: what hangs on it. */
  readonly says: readonly string[];
  /** Whether and how it can be undone; an irreversible operation without it says that it cannot. */
  readonly undo?: string;
  /** A narrower or better operation to name, as a command line without `cops`. */
  readonly narrower?: string;
}

/** An operation that only starts something, and how to tell that it ended (`--wait`). */
export interface Wait {
  /** Family and action that read the progress. */
  readonly read: { readonly family: string; readonly action: string };
  /** Field of the answer that holds the id to read; the operation's own id when absent. */
  readonly idFrom?: string;
  /** Item field that tells the state, the values that mean success and failure (lower case; `*` is any value). */
  readonly field: string;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** The work takes this long at least, seconds: the first look comes no sooner. */
  readonly atLeastSeconds?: number;
  /** Longest wait, seconds. */
  readonly limitSeconds: number;
}

/** Items of another family that an item names by id, and that can be read along with it (`--with`). */
export interface Relation {
  /** Family whose `get` reads them. */
  readonly family: string;
  /** Dotted paths into the item that hold the id, or a list of ids; all of them count. */
  readonly from: readonly string[];
  /** There is one at most: it is shown as an object, not as a list. */
  readonly one?: true;
  /** Path of the item to the id of the newest: which end of the list is read when not all are. */
  readonly newest?: string;
}

export interface Operation {
  /** Words after the family on the command line, dashes for underscores: `list`, `payment-methods set-default`. */
  readonly action: string;
  readonly method: 'GET' | 'POST';
  /** Path with `{name}` placeholders, as in service.md#paths. */
  readonly path: string;
  /** Name in the published description; empty where it was never seen. */
  readonly operationId: string;
  readonly summary: string;
  readonly risk: Risk;
  /** What a grave operation moves, where its name does not tell: no amount by itself, or all that its item has left. */
  readonly moves?: 'nothing' | 'item';
  /** Operations of other items that the service does along with it, where there are such items: `subscriptions cancel`. */
  readonly entails?: readonly string[];
  /**
   * What fields of a body do besides, by their names: its own and those of the family's other bodies, whose end was
   * seldom seen. Made from the fields (`conventions.ts`).
   */
  readonly brings?: Readonly<Record<string, Brings>>;
  /** Kinds of the path placeholders that are not 20-character ids. */
  readonly params?: Readonly<Record<string, PathParam>>;
  readonly list?: List;
  /** Columns of what hangs on the family's items and is no item of it (payment methods, images). */
  readonly columns?: readonly Column[];
  readonly query?: Readonly<Record<string, QueryField>>;
  /** Absent on a POST: nothing besides the path is said, `{}` (plus the idempotency key) is sent. */
  readonly body?: Body;
  /**
   * Fields that reads and twin operations show, and that nothing says are taken: our own reading. They pass with a
   * note as every unseen field does; set-ups as files and the sandbox know them by this.
   */
  readonly assumed?: Readonly<Record<string, Field>>;
  /**
   * Fields whose names, or that a write takes them, are our own reading alone (those of an order). Their values are
   * checked wherever they are given; no template, help or set-up file offers them.
   */
  readonly further?: Readonly<Record<string, Field>>;
  /** No other field is written, by our own reading: the sandbox refuses it by name, the client passes it on. */
  readonly noOther?: true;
  /** Body field that is positional on the command line: text, `@file` or `-` (`bigquery query <sql>`). */
  readonly positionalBody?: string;
  /** Body field that holds SQL: the operation reads only where that is provably a query (`account/safety/sql.ts`). */
  readonly sqlBody?: string;
  /** Shortest idempotency key that protects, where it is not 10 (service.md#idempotency: assistants, 11). */
  readonly keyMinLength?: number;
  /** Field of the answer that names the resource (`subscription_id`). */
  readonly answerId?: string;
  /** Permission that a restricted key needs (service.md#permissions); absent where the spec shows none. */
  readonly permission?: string;
  readonly preview?: Preview;
  /** States of an item in which this does nothing or is refused: of several candidates such an item comes last. */
  readonly notWhile?: readonly string[];
  /** The item that a person's name means may be chosen by `--latest`, as that of a refund. */
  readonly latest?: true;
  readonly wait?: Wait;
  /** Item field (dotted path) that shows that this was done, where neither `status` nor what was sent does. */
  readonly shownBy?: string;
  /** On the `get` of a family: what `--with` can read along, by the word it is asked for by. */
  readonly related?: Readonly<Record<string, Relation>>;
  /** Names of the documented checks that run before sending (`request/checks`); all are in `check-names.ts`. */
  readonly checks?: readonly CheckName[];
  /** The answer means accepted, not paid back: said so (service.md#payments and lifecycle rules). */
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
  /** What the values are, where no field of the family says it. */
  readonly means?: Field['means'];
  /** How a table shows the value (`prose` is wrapped, never cut); machine formats always show what came. */
  readonly as?: 'time' | 'money' | 'status' | 'flag' | 'text' | 'prose';
  /** A table shows in its place what the item's values say together (`items/select/states.ts`). */
  readonly state?: 'renewal';
  /** Values of another field with which this one means nothing: a table leaves it empty then. */
  readonly unless?: { readonly path: string; readonly values: readonly string[] };
  /** What the row is about: a table shows it whole, and leaves out others first. */
  readonly whole?: true;
  /** The hour of a time tells the rows apart: it goes only where there is no room at all. */
  readonly hours?: true;
}

/** A time ahead at which something happens to an item by itself, as long as its state allows it. */
export interface Due {
  readonly path: string;
  /** `next renewal`, `end`. */
  readonly says: string;
  readonly while?: { readonly path: string; readonly values: readonly string[] };
}

/** How an item of another family is found that no field names. */
export interface RelationRule {
  readonly name: 'default_card' | 'last_paid';
  /** The family it leads to. */
  readonly to: string;
  /** Words of relations from the item to what is chosen among: `customer.customer_cards`. */
  readonly via: string;
  /** Word of the relation from what was chosen, where that is not itself the item meant. */
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
  /** The path's first word: `subscription_profiles`. */
  readonly name: string;
  readonly summary: string;
  /** Columns of a table, in order; `id` first. */
  readonly columns: readonly Column[];
  /** Field that identifies an item (`id`, `key` for key values, `table_name` for tables). */
  readonly idField: string;
  readonly nature: Nature;
  /** What an item is called by, best first: the first one identifies it in files, all of them find it. */
  readonly keys: readonly NaturalKey[];
  /** Known item fields (service.md#envelopes), for help, `explain` and typed exports. Unknown ones always pass. */
  readonly item?: Readonly<Record<string, Field>>;
  /** What else items may show: our own reading, of which no description was seen. */
  readonly assumed?: Readonly<Record<string, Field>>;
  /** The specification shows the item's fields; else they are known as well as its `get` is. */
  readonly shape?: 'spec';
  /** What people and relations call its items besides its name, as many: `renewals`. */
  readonly words?: readonly string[];
  /** Items of other families that belong to an item by our own reasoning, each by its word. */
  readonly ruled?: Readonly<Record<string, RelationRule>>;
  /**
   * States in which an item still waits for something. Asked for by one of them, a list of events has no date to begin
   * at: it takes everything.
   */
  readonly open?: readonly string[];
  /** Why a sum over its items is not what came in all: one sentence; absent where nobody would take it for that. */
  readonly apart?: string;
  /** What comes by itself at a time that items show; absent where nothing is due. */
  readonly due?: Due;
  /** A record of what runs, not of the business, with very many items: copies of all lists leave it out unless told. */
  readonly onlyNamed?: true;
  /** Why its items cannot be kept as files though they can be made here; absent where they can. */
  readonly unmanaged?: string;
  /** What an item shows and no create or edit takes, with where it comes from: it does not move with the item. */
  readonly left?: Readonly<Record<string, string>>;
  /**
   * Item fields that name objects in whose list the item stands: it is put there by writing that list. A field by the
   * family and its list.
   */
  readonly joins?: Readonly<Record<string, { readonly family: string; readonly field: string }>>;
  /** Actions that people look for here and that do not exist, with what to do instead. */
  readonly instead?: Readonly<Record<string, Text>>;
  readonly operations: readonly Operation[];
}
