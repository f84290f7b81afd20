/** A placeholder in a command line: a word that the reader replaces, such as `<id>`. */
export interface Placeholder {
  /** As shown, never quoted. */
  readonly shown: string;
  /** As the program would receive it. */
  readonly text: string;
}

/** A `cops` command line proposed to the reader. */
export class CommandLine {
  /** @param words the arguments after `cops` and its account options, as the program receives them */
  constructor(
    readonly words: readonly (string | Placeholder)[],
    readonly profile?: string,
    readonly mode?: 'test' | 'live',
  ) {}

  /** The same command line for a profile and a mode. */
  in(profile: string | undefined, mode: 'test' | 'live' | undefined): CommandLine {
    return new CommandLine(this.words, profile, mode);
  }

  /** The command line with more words appended. */
  and(...words: readonly (string | Placeholder)[]): CommandLine {
    return new CommandLine([...this.words, ...words], this.profile, this.mode);
  }

  toJSON(): string {
    return this.toString();
  }

  /** The command line quoted for a shell. */
  toString(): string {
    const profile = this.profile === undefined ? [] : ['-p', shellWord(this.profile)];
    const mode = this.mode === undefined ? [] : [`--${this.mode}`];
    const words = this.words.map((word) => (typeof word === 'string' ? shellWord(word) : word.shown));
    return ['cops', ...profile, ...mode, ...words].join(' ');
  }
}

/** A message with the command lines in it; they stay records until the message is shown. */
export class Note {
  /** @param between separator between two parts; each part must make sense without the others */
  constructor(
    readonly parts: readonly (string | CommandLine | Note)[],
    readonly between?: string,
  ) {}

  toString(): string {
    return this.parts.join(this.between ?? '');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A message to a person: a plain sentence, or one that proposes command lines. */
export type Text = string | Note | CommandLine;

type Part = Text | number | undefined | false;

/** A message that proposes command lines: say`See it with: ${cops`history show ${id}`}.` */
export const say = (texts: TemplateStringsArray, ...values: readonly Part[]): Note =>
  new Note(texts.flatMap((text, at) => [...partOf(text), ...partOf(values[at])]));

function partOf(value: Part): (string | CommandLine | Note)[] {
  if (value === undefined || value === false || value === '') return [];
  return [typeof value === 'number' ? String(value) : value];
}

/** The message with every string in it changed, including the values in its command lines. */
export function mapText(text: Text, change: (text: string) => string): Text {
  if (typeof text === 'string') return change(text);
  if (text instanceof CommandLine)
    return new CommandLine(
      text.words.map((word) => (typeof word === 'string' ? change(word) : word)),
      text.profile,
      text.mode,
    );
  return new Note(
    text.parts.map((part) => mapText(part, change)),
    text.between,
  );
}

/** The non-empty texts, joined by a separator. */
export const joinedTexts = (texts: Iterable<Text | undefined | false>, between: string): Text =>
  new Note(
    [...texts].flatMap((text) => partOf(text)),
    between,
  );

/** The message with each of its command lines changed. */
export function withLines<T extends Text>(text: T, change: (line: CommandLine) => CommandLine): T {
  if (typeof text === 'string') return text;
  if (text instanceof CommandLine) return change(text) as T;
  return new Note(
    text.parts.map((part) => withLines(part, change)),
    text.between,
  ) as T;
}

/** A text with the placeholders of its lines replaced by the words that are known. */
export const withPlaces = (text: Text, places: Readonly<Record<string, string | undefined>>): Text =>
  withLines(text, ({ words }) =>
    copsLine(
      words.map((word) => {
        if (typeof word === 'string') return word;
        const names = word.text.match(/<[^>]*>/g) ?? [word.text];
        if (names.some((name) => places[name] === undefined)) return word;
        return names.reduce((filled, name) => filled.replace(name, () => places[name] ?? name), word.text);
      }),
    ),
  );

type Value = string | number | Placeholder | readonly (string | Placeholder)[] | undefined | false;

/**
 * A command line: cops`history show ${id}`. Each value is a word, or part of one where it touches other text; a list
 * becomes as many words, and undefined none.
 */
export function cops(texts: TemplateStringsArray, ...values: readonly Value[]): CommandLine {
  const line = new Words();
  for (const [at, text] of texts.entries()) {
    line.literal(text);
    if (at < values.length) line.value(values[at]);
  }
  return new CommandLine(line.all());
}

/** A command line from words that are already split. */
export const copsLine = (words: readonly (string | Placeholder)[]): CommandLine => new CommandLine(words);

/** Parses a command line as written, with quotes and placeholders. */
export function writtenLine(text: string): CommandLine {
  const line = new Words();
  line.literal(text);
  return new CommandLine(line.all());
}

/** A placeholder for the reader's own word: `<id>`. */
export const placeholder = (shown: string): Placeholder => ({ shown, text: shown });

/** Splits source text as a shell would; a word that contains a placeholder stays as written. */
class Words {
  readonly #words: (string | Placeholder)[] = [];
  #text: string | undefined;
  /** The word as shown, if it contains a placeholder. */
  #shown = '';
  #hasPlace = false;

  literal(text: string): void {
    for (const [token, blank, angle, quoted, doubled] of text.matchAll(
      /(\s+)|(<[^>]*>|"?\.\.\."?)|'([^']*)'|"([^"]*)"|[^\s'"<.]+|./g,
    )) {
      if (blank !== undefined) this.#end();
      else this.#add(quoted ?? doubled ?? token, token, angle !== undefined);
    }
  }

  value(value: Value): void {
    if (typeof value === 'string' || typeof value === 'number')
      this.#add(String(value), shellWord(String(value)), false);
    else if (value && 'shown' in value) this.#add(value.text, value.shown, true);
    else if (value) {
      this.#end();
      this.#words.push(...value);
    }
  }

  all(): readonly (string | Placeholder)[] {
    this.#end();
    return this.#words;
  }

  #add(text: string, shown: string, isPlace: boolean): void {
    this.#text = (this.#text ?? '') + text;
    this.#shown += shown;
    this.#hasPlace ||= isPlace;
  }

  #end(): void {
    if (this.#text !== undefined)
      this.#words.push(this.#hasPlace ? { shown: this.#shown, text: this.#text } : this.#text);
    this.#text = undefined;
    this.#shown = '';
    this.#hasPlace = false;
  }
}

/** A word quoted so that a shell takes it literally. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
