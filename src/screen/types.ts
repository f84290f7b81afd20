import type { Text } from '../base/text/command-line.js';
import type { Column } from '../catalogue/types.js';
import type { Item } from '../items/json/item-json.js';
import type { AccountLine } from './colour.js';
import type { Format } from './output-formats.js';
import type { Excel } from './spreadsheets.js';

/** How results are shown, resolved from flags, environment, profile and terminal. */
export interface ScreenSettings {
  readonly format: Format;
  /** Chosen columns (`--columns a,b.c`), or undefined for the family's own. */
  readonly columns?: readonly string[];
  /** A JMESPath expression over the merged whole. */
  readonly query?: string;
  /** Written of each item in place of a format: `{{id}} {{customer.email}}`. */
  readonly template?: string | undefined;
  readonly wide: boolean;
  readonly raw: boolean;
  /** Cells that a spreadsheet would read as a formula get a quote in front (csv and tsv). */
  readonly csvSafe?: boolean;
  readonly tz: string;
  /** Csv and tsv: moments as ISO 8601 in `tz` (unless told otherwise), or as they came. */
  readonly times?: 'iso' | 'unix';
  /** Csv and tsv for the spreadsheet program of a locale. */
  readonly excel?: Excel;
}

/** Items that were read along with an item: where its member `related` holds them, and how a record shows them. */
export interface RelatedSection {
  /** Name below `related`, and title. */
  readonly word: string;
  /** An object (or null), not a list. */
  readonly one: boolean;
  readonly columns: readonly Column[];
  /** How many are named and could not be read. */
  readonly unread: number;
}

/** What a command hands to the output: data only, a command never prints. */
export type Result =
  | {
      readonly shape: 'list';
      readonly items: AsyncIterable<Item>;
      readonly columns: readonly Column[];
      readonly idField: string;
      /** With `--raw`: the envelopes as they came, instead of the items. */
      readonly envelopes?: AsyncIterable<string>;
      /** Items come one by one without an end: a table does not wait for more of them, and json is one line an item. */
      readonly live?: true;
      /** Columns that a table has besides, since the line compares or orders by them. */
      readonly asked?: readonly Column[] | undefined;
      /** Elements of a query's answer that are shown at most; more are told as a note. */
      readonly shownAtMost?: number | undefined;
      /** Whose items they are, said above a table on a terminal. */
      readonly account?: AccountLine | undefined;
      /** A table on a terminal says in a heading what all rows share, although they are of no one account. */
      readonly shares?: true;
      /** Names of item fields beside the columns: what a line may name although no item shows it. */
      readonly fields?: readonly string[] | undefined;
      /** The field that a name means which is no name of its own: `brand` of a card's `type`. */
      readonly fieldCalled?: ((name: string) => string | undefined) | undefined;
      /** Whether items may have what a name means, where none is there to show it. */
      readonly mayHave?: ((name: string) => boolean) | undefined;
    }
  | {
      readonly shape: 'one';
      readonly item: Item;
      readonly columns?: readonly Column[];
      readonly idField?: string;
      readonly related?: readonly RelatedSection[];
      /** Whose item it is, said above it on a terminal. */
      readonly account?: AccountLine | undefined;
    }
  | {
      readonly shape: 'text';
      readonly text: string;
      /** Its maker coloured it, after making foreign text inert: colours stay. */
      readonly painted?: boolean | undefined;
      /** Sentences: on a terminal they are broken between words, never within a command. */
      readonly prose?: boolean | undefined;
    }
  | { readonly shape: 'nothing' };

/** A sign of life for a call that is slow. */
export interface Busy {
  done(): void;
}

/** What data lacks of the whole. */
export interface Missing {
  /** Items of the whole, where it is known. */
  readonly total?: number;
}

/** Everything beside data: goes to standard error, respects `--quiet` and `--verbose`. */
export interface Notes {
  /** Said unless `--quiet`. */
  note(text: Text): void;
  /** Said always: something the operator must know. `missing` marks data that is not all there is. */
  warn(text: Text, missing?: Missing): void;
  /** Takes in the place of `note` and `warn` what repeats words of the service, where they must stay apart from ours. */
  quote?(text: string): void;
  /** The same for text that is painted already and whose foreign parts are inert. */
  painted?(text: string): void;
  /** Said with `--verbose` only. */
  detail(text: Text): void;
  /** A line that replaces itself on a terminal and comes once a minute on a pipe. */
  progress(text: string): void;
  /** Clears a progress line. */
  progressDone(): void;
  /** Shows a turning sign on a terminal once a wait is long; nothing anywhere else, or beside a progress line. */
  busy?(text: string): Busy;
}

/** Where results go, and what is known of the other end. */
export interface Out {
  readonly stdout: NodeJS.WritableStream;
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** True when standard output is a terminal. */
  readonly interactive: boolean;
  /** Takes what must be said beside the data (columns without room). */
  readonly note?: (text: string) => void;
}
