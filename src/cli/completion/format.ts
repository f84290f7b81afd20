import type { CompletionAnswer, CompletionCandidate } from './answer.js';

/**
 * What a shell's script reads: the line `words`, or the lines `files`, prefix and path; then one candidate per line,
 * with a tab before its description.
 */
export function formatAnswer(
  answer: CompletionAnswer,
  current: string,
  quote = (value: string): string => value,
): string {
  const lines = head(answer, (prefix) => [quote(prefix), current.slice(prefix.length)]);
  for (const { value, about } of clean(answer.candidates))
    lines.push(about === undefined || about === '' ? quote(value) : `${quote(value)}\t${about}`);
  return `${lines.join('\n')}\n`;
}

/** How bash asks: its completion type (63 lists candidates after a second Tab) and the width of the terminal. */
export interface BashWish {
  readonly type: number;
  readonly width: number;
}

const LISTING = 63;

/**
 * The same for bash: replies replace the part of the word after the last character at which bash breaks words, escaped
 * for the quotes around the cursor, with a space after a whole word. A listing shows each description.
 */
export function formatForBash(answer: CompletionAnswer, line: BashLine, wish: BashWish): string {
  const after = (text: string): string => text.slice(text.startsWith(line.settled) ? line.settled.length : 0);
  const lines = head(answer, (prefix) => [after(prefix), line.current.slice(prefix.length)]);
  const candidates = clean(answer.candidates);
  const replies = candidates.map(({ value }) => escapeForBash(after(value), line.quote));
  if (wish.type === LISTING && candidates.length > 1) {
    const widest = Math.max(...replies.map((reply) => reply.length));
    for (const [index, reply] of replies.entries()) {
      const about = candidates[index]?.about;
      const text = about ? `${reply.padEnd(widest)}  ${about}` : reply;
      lines.push([...text].slice(0, Math.max(20, wish.width - 2)).join(''));
    }
  } else {
    for (const reply of replies) lines.push(line.quote === '' && !/[=@:.,/]$/.test(reply) ? `${reply} ` : reply);
  }
  return `${lines.join('\n')}\n`;
}

/** PowerShell interprets `@`, `,` and `$` itself: a word with one of them is quoted. */
export const quoteForPowerShell = (value: string): string =>
  /^[A-Za-z0-9_./:=+-]*$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`;

const head = (answer: CompletionAnswer, split: (prefix: string) => readonly string[]): string[] =>
  answer.files ? ['files', ...split(answer.files.prefix)] : ['words'];

function escapeForBash(text: string, quote: BashLine['quote']): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replace(/["\\$`]/g, '\\$&');
  return text.replace(/[^\w@%+=:,./-]/g, '\\$&');
}

/** Characters that move or hide text, and all controls: none may reach a terminal through a shell. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const UNSAFE_ALL = new RegExp(UNSAFE, 'gu');
const LONGEST_ABOUT = 120;

/** Candidates that are safe to show and insert, without duplicates. */
function clean(candidates: readonly CompletionCandidate[]): CompletionCandidate[] {
  const seen = new Set<string>();
  const kept: CompletionCandidate[] = [];
  for (const { value, about } of candidates) {
    if (value === '' || UNSAFE.test(value) || seen.has(value)) continue;
    seen.add(value);
    const text = about?.replace(UNSAFE_ALL, ' ').trim() ?? '';
    kept.push(text === '' ? { value } : { value, about: [...text].slice(0, LONGEST_ABOUT).join('') });
  }
  return kept;
}

/** A bash line up to the cursor, as completion needs it. */
export interface BashLine {
  /** Whole words before the cursor, unquoted, the program's name first. */
  readonly words: readonly string[];
  /** The word at the cursor, unquoted; empty after a space. */
  readonly current: string;
  /** The quote open at the cursor. */
  readonly quote: '' | '"' | "'";
  /** The start of `current` that bash keeps: it replaces only what follows its last word break. */
  readonly settled: string;
  /** True after `<` or `>`: the word there is a file, not an argument. */
  readonly redirect: boolean;
}

/** Reads a line as bash does: quotes, backslashes, and the characters of `COMP_WORDBREAKS` at the cursor. */
export function readBashLine(line: string, breaks: string): BashLine {
  let words: string[] = [];
  let word: string | undefined;
  let settled = '';
  let quote: BashLine['quote'] = '';
  let redirect = false;
  const end = (): void => {
    if (word !== undefined && !redirect) words.push(word);
    if (word !== undefined) redirect = false;
    word = undefined;
    settled = '';
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (quote !== '') {
      if (sign === quote) {
        quote = '';
        settled = word ?? '';
      } else if (sign === '\\' && quote === '"' && /["\\$`]/.test(line[at + 1] ?? '')) {
        word = `${word ?? ''}${line[++at]}`;
      } else {
        word = `${word ?? ''}${sign}`;
      }
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
      settled = word;
    } else if (sign === '\\') {
      word = `${word ?? ''}${line[++at] ?? ''}`;
    } else if (/\s/.test(sign)) {
      end();
    } else if (/[|&;]/.test(sign)) {
      end();
      words = [];
    } else if (sign === '<' || sign === '>') {
      // The number of a stream (`2>`) is not a word.
      if (/^\d$/.test(word ?? '')) word = undefined;
      end();
      redirect = true;
    } else {
      const before = word ?? '';
      word = `${before}${sign}`;
      // bash also starts a new word at `@` and `$`, and keeps the sign in it.
      if (breaks.includes(sign)) settled = sign === '@' || sign === '$' ? before : word;
    }
  }
  return { words, current: word ?? '', quote, settled, redirect };
}

/** A word of a line that may still have an open quote, without its quotes; for shells that hand it over as typed. */
export const unquoted = (word: string): string => word.replace(/^(["'])(.*?)\1?$/s, '$2').replace(/\\(.)/gs, '$1');
