/** What an output format is; the one place that says it. */
export interface FormatTraits {
  /** A few words for completion. */
  readonly about: string;
  /** True for one document over the whole: what has no end cannot be shown in it. */
  readonly document: boolean;
  /** True where an item is shown with all its fields unless columns are chosen. */
  readonly wholeItems: boolean;
  /** True where errors are JSON as well. */
  readonly jsonErrors: boolean;
  /** True for what a person reads a screen at a time. */
  readonly forPeople: boolean;
  /** True for one kind of rows alone: it has no place for items of several kinds. */
  readonly flat: boolean;
  /** True where `--raw` can be shown: the service's JSON as it came. */
  readonly raw: boolean;
}

function format(about: string, ...traits: readonly Exclude<keyof FormatTraits, 'about'>[]): FormatTraits {
  return {
    about,
    document: traits.includes('document'),
    wholeItems: traits.includes('wholeItems'),
    jsonErrors: traits.includes('jsonErrors'),
    forPeople: traits.includes('forPeople'),
    flat: traits.includes('flat'),
    raw: traits.includes('raw'),
  };
}

const TRAITS = {
  table: format('for people', 'forPeople', 'raw'),
  json: format('one array or item', 'document', 'wholeItems', 'jsonErrors', 'forPeople', 'raw'),
  jsonl: format('an item a line', 'wholeItems', 'jsonErrors', 'raw'),
  csv: format('comma-separated', 'flat'),
  tsv: format('tab-separated', 'flat'),
  yaml: format('for people and files', 'document', 'wholeItems', 'forPeople'),
  ids: format('ids only, one a line', 'flat'),
};

export type Format = keyof typeof TRAITS;

/** Every output format, in the order in which help names them. */
export const OUTPUT_FORMATS: Readonly<Record<Format, FormatTraits>> = TRAITS;

export const FORMATS = Object.keys(TRAITS) as readonly Format[];

/** The traits of a word that may name a format. */
export function formatTraits(word: string | undefined): FormatTraits | undefined {
  return FORMATS.includes(word as Format) ? OUTPUT_FORMATS[word as Format] : undefined;
}
