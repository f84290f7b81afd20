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

const TRAITS = {
  table: {
    about: 'for people',
    document: false,
    wholeItems: false,
    jsonErrors: false,
    forPeople: true,
    flat: false,
    raw: true,
  },
  json: {
    about: 'one array or item',
    document: true,
    wholeItems: true,
    jsonErrors: true,
    forPeople: true,
    flat: false,
    raw: true,
  },
  jsonl: {
    about: 'an item a line',
    document: false,
    wholeItems: true,
    jsonErrors: true,
    forPeople: false,
    flat: false,
    raw: true,
  },
  csv: {
    about: 'comma-separated',
    document: false,
    wholeItems: false,
    jsonErrors: false,
    forPeople: false,
    flat: true,
    raw: false,
  },
  tsv: {
    about: 'tab-separated',
    document: false,
    wholeItems: false,
    jsonErrors: false,
    forPeople: false,
    flat: true,
    raw: false,
  },
  yaml: {
    about: 'for people and files',
    document: true,
    wholeItems: true,
    jsonErrors: false,
    forPeople: true,
    flat: false,
    raw: false,
  },
  ids: {
    about: 'ids only, one a line',
    document: false,
    wholeItems: false,
    jsonErrors: false,
    forPeople: false,
    flat: true,
    raw: false,
  },
} as const satisfies Readonly<Record<string, FormatTraits>>;

export type Format = keyof typeof TRAITS;

/** Every output format, in the order in which help names them. */
export const OUTPUT_FORMATS: Readonly<Record<Format, FormatTraits>> = TRAITS;

export const FORMATS = Object.keys(TRAITS) as readonly Format[];

/** The traits of a word that may name a format. */
export function formatTraits(word: string | undefined): FormatTraits | undefined {
  return FORMATS.includes(word as Format) ? OUTPUT_FORMATS[word as Format] : undefined;
}
