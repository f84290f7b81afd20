import type { Text } from '../base/text/command-line.js';
import type { Column } from '../catalogue/types.js';
import type { Item } from '../items/json/item-json.js';
import type { Format } from './output-formats.js';
import type { Excel } from './spreadsheets.js';

/** The account that an answer shows; printed above every list and item on a terminal. */
export interface AccountLine {
  readonly profile: string;
  readonly mode: 'test' | 'live';
  /** True for the embedded service, whose live mode moves no real money. */
  readonly embedded: boolean;
}

/** Colours words in a table or note. Its functions return the text unchanged when colour is off. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  mild(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
  /** For what must not be overlooked: live mode. */
  alarm(text: string): string;
}

/** How results are shown, resolved from flags, environment, profile and terminal. */
export interface ScreenSettings {
  readonly format: Format;
  /** Chosen columns (`--columns a,b.c`), or undefined for the family's own. */
  readonly columns?: readonly string[];
  /** The columns that the profile names for the lists of families, comma-separated, by family. */
  readonly columnsOf?: Readonly<Record<string, string>> | undefined;
  /** A JMESPath expression over the merged result. */
  readonly query?: string;
  /** Printed for each item instead of a format: `{{id}} {{customer.email}}`. */
  readonly template?: string | undefined;
  readonly wide: boolean;
  readonly raw: boolean;
  /** Prefixes cells that a spreadsheet would read as a formula with a quote (csv and tsv). */
  readonly csvSafe?: boolean;
  readonly tz: string;
  /** For csv and tsv: moments as ISO 8601 in `tz` (the default), or as received. */
  readonly times?: 'iso' | 'unix';
  /** Csv and tsv for a spreadsheet program of some locale. */
  readonly excel?: Excel;
}

/** Items read together with an item: where its member `related` holds them, and how a record shows them. */
export interface RelatedSection {
  /** Name below `related`, and title. */
  readonly word: string;
  /** An object (or null), not a list. */
  readonly one: boolean;
  readonly columns: readonly Column[];
  /** How many referenced items could not be read. */
  readonly unread: number;
}

/** The columns that a profile names for a list. */
export interface UsualColumns {
  readonly names: readonly string[];
  /** The setting that holds them, for errors: `columns.customers`. */
  readonly setting: string;
}

/** What a command passes to the output: only data; a command never prints. */
export type Result =
  | {
      readonly shape: 'list';
      readonly items: AsyncIterable<Item>;
      readonly columns: readonly Column[];
      readonly idField: string;
      /** With `--raw`: the envelopes as received, instead of the items. */
      readonly envelopes?: AsyncIterable<string>;
      /** Items arrive one by one without an end: a table does not wait for more, and json prints one item per line. */
      readonly live?: true;
      /** Extra columns for a table, because the command line compares or sorts by them. */
      readonly asked?: readonly Column[] | undefined;
      /** Most elements of a query's answer to show; a note mentions any others. */
      readonly shownAtMost?: number | undefined;
      /** Whose items they are; shown above a table on a terminal. */
      readonly account?: AccountLine | undefined;
      /** A table on a terminal shows shared values in a heading, although the items do not belong to one account. */
      readonly shares?: true;
      /** Names of other item fields, valid on the command line even if no item shows them. */
      readonly fields?: readonly string[] | undefined;
      /** Columns to show where the line names none, and the setting they come from. */
      readonly usual?: UsualColumns | undefined;
      /** Resolves another name for a field: `brand` for a card's `type`. */
      readonly fieldCalled?: ((name: string) => string | undefined) | undefined;
      /** Whether items may have the named field when there is none to show it. */
      readonly mayHave?: ((name: string) => boolean) | undefined;
      /** The command that lists the items. */
      readonly list?: string | undefined;
      /** The error for a column that no item has, if the name is known elsewhere. */
      readonly faultOf?: ((name: string) => Promise<Error | undefined>) | undefined;
    }
  | {
      readonly shape: 'one';
      readonly item: Item;
      /** Shown as it is: `--columns` chose among other items. */
      readonly isWhole?: boolean | undefined;
      readonly columns?: readonly Column[];
      readonly idField?: string;
      readonly related?: readonly RelatedSection[];
      /** Whose item it is; shown above it on a terminal. */
      readonly account?: AccountLine | undefined;
    }
  | {
      readonly shape: 'text';
      readonly text: string;
      /** Already coloured by its maker, after making foreign text inert: colours stay. */
      readonly painted?: boolean | undefined;
      /** Sentences: wrapped between words on a terminal, but never within a command. */
      readonly prose?: boolean | undefined;
    }
  | { readonly shape: 'nothing' };

/** A progress sign for a slow call. */
export interface Busy {
  done(): void;
}

/** What is missing from the data. */
export interface Missing {
  /** Number of items in full, where known. */
  readonly total?: number;
}

/**
 * Everything except data: goes to standard error, respects `--quiet` and `--verbose`. Warnings and notes follow the
 * answer, warnings first; a question brings out those said before it.
 */
export interface Notes {
  /** Shown unless `--quiet`: how a line is read, what was done, where to look next. */
  note(text: Text): void;
  /** Always shown: a danger, or that the answer leaves something out; `missing` says how much. */
  warn(text: Text, missing?: Missing): void;
  /** The same, printed right away: for what must be known before the answer, or during a long run. */
  readonly atOnce?: Notes;
  /** Shows text that is already coloured and whose foreign parts are inert, right away. */
  painted?(text: string): void;
  /** Replaces `note` and `warn` for messages that quote the service, where they must be kept apart from ours. */
  quote?(text: string): void;
  /** Writes a line for programs as it is. */
  record?(line: string): void;
  /** Shown only with `--verbose`. */
  detail(text: Text): void;
  /**
   * A line that is redrawn on a terminal and printed once a minute on a pipe.
   * @param share the share done, 0 to 1, for a bar; undefined where it is unknown
   */
  progress(text: string, share?: number): void;
  /** Clears the progress line. */
  progressDone(): void;
  /** Shows a spinner on a terminal once a wait gets long; does nothing elsewhere, or while a progress line shows. */
  busy?(text: string): Busy;
}

/** Where results go, and what is known about the other end. */
export interface Out {
  readonly stdout: NodeJS.WritableStream;
  readonly color: boolean;
  /** Width of the terminal in columns. */
  readonly width: number;
  /** True when standard output is a terminal. */
  readonly interactive: boolean;
  /** Takes remarks about the data (columns that did not fit). */
  readonly note?: (text: string) => void;
  /** Says that the answer is cut. */
  readonly warn?: (text: string) => void;
}
