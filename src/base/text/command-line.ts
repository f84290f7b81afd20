/** A word of a line that the reader replaces by one of his own: `<id>`. */
export interface Placeholder {
  /** As it is shown, never quoted. */
  readonly shown: string;
  /** As the program would get it. */
  readonly text: string;
}

/** A line of cops that a text proposes. */
export class CommandLine {
  /** @param words those behind `cops` and the options of its account, as the program gets them */
  constructor(
    readonly words: readonly (string | Placeholder)[],
    readonly profile?: string,
    readonly mode?: 'test' | 'live',
  ) {}

  /** The line for a profile and a mode. */
  in(profile: string | undefined, mode: 'test' | 'live' | undefined): CommandLine {
    return new CommandLine(this.words, profile, mode);
  }

  /** The line with further words behind its own. */
  and(...words: readonly (string | Placeholder)[]): CommandLine {
    return new CommandLine([...this.words, ...words], this.profile, this.mode);
  }

  toJSON(): string {
    return this.toString();
  }

  /** The line as a shell takes it. */
  toString(): string {
    const profile = this.profile === undefined ? [] : ['-p', shellWord(this.profile)];
    const mode = this.mode === undefined ? [] : [`--${this.mode}`];
    const words = this.words.map((word) => (typeof word === 'string' ? shellWord(word) : word.shown));
    return ['cops', ...profile, ...mode, ...words].join(' ');
  }
}

/** A text and the lines in it, which stay records until it is shown. */
export class Note {
  /** @param between what stands between any two parts, each of which is a text that may do without the others */
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

/** What is said to a person: a plain sentence, or one that proposes lines. */
export type Text = string | Note | CommandLine;

type Part = Text | number | undefined | false;

/** A text that proposes lines: say`See it with: ${cops`history show ${id}`}.` */
export function say(texts: TemplateStringsArray, ...values: readonly Part[]): Note {
  return new Note(texts.flatMap((text, at) => [...partOf(text), ...partOf(values[at])]));
}

function partOf(value: Part): (string | CommandLine | Note)[] {
  if (value === undefined || value === false || value === '') return [];
  return [typeof value === 'number' ? String(value) : value];
}

/** The text with each text in it changed, the values of its lines too. */
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

/** Those of the texts that say something, with the same between any two. */
export function joinedTexts(texts: Iterable<Text | undefined | false>, between: string): Text {
  return new Note(
    [...texts].flatMap((text) => partOf(text)),
    between,
  );
}

/** The text with each of its lines changed. */
export function withLines<T extends Text>(text: T, change: (line: CommandLine) => CommandLine): T {
  if (typeof text === 'string') return text;
  if (text instanceof CommandLine) return change(text) as T;
  return new Note(
    text.parts.map((part) => withLines(part, change)),
    text.between,
  ) as T;
}

type Value = string | number | Placeholder | readonly (string | Placeholder)[] | undefined | false;

/**
 * A line of cops: cops`history show ${id}`. Each value is a word, or a part of one where it touches others; a list is as
 * many words, and one that is not there none.
 */
export function cops(texts: TemplateStringsArray, ...values: readonly Value[]): CommandLine {
  const line = new Words();
  for (const [at, text] of texts.entries()) {
    line.literal(text);
    if (at < values.length) line.value(values[at]);
  }
  return new CommandLine(line.all());
}

/** A line of words that are known already. */
export function copsLine(words: readonly (string | Placeholder)[]): CommandLine {
  return new CommandLine(words);
}

/** A line as it is written, quotes and places included. */
export function writtenLine(text: string): CommandLine {
  const line = new Words();
  line.literal(text);
  return new CommandLine(line.all());
}

/** A word for the reader's own: `<id>`. */
export function placeholder(shown: string): Placeholder {
  return { shown, text: shown };
}

/** Splits what is written in the source as a shell would; a word with a place in it stays as it is written. */
class Words {
  readonly #words: (string | Placeholder)[] = [];
  #text: string | undefined;
  /** The word as it is shown, where a place is in it. */
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

/** A word as a shell takes it for itself. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
