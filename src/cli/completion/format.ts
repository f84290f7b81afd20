import type { CompletionAnswer, CompletionCandidate } from './answer.js';
import type { BashLine } from './typed-line.js';

/**
 * What a shell's script reads: the line `words`, or the lines `files`, prefix and path; then one candidate a line,
 * with a tab before what is said about it.
 */
export function formatAnswer(
  answer: CompletionAnswer,
  current: string,
  quote = (value: string): string => value,
): string {
  const lines = head(answer, (prefix) => [quote(prefix), current.slice(prefix.length)]);
  for (const { value, about } of clean(answer.candidates)) {
    lines.push(about === undefined || about === '' ? quote(value) : `${quote(value)}\t${about}`);
  }
  return `${lines.join('\n')}\n`;
}

/** How a bash asks: with its kind of completion (63 lists after a second Tab) and the width of the terminal. */
export interface BashWish {
  readonly type: number;
  readonly width: number;
}

const LISTING = 63;

/**
 * The same for bash: replies that replace the part of the word after the last character at which bash breaks words,
 * escaped as the quotes around the cursor want it, with the space that follows a whole word. A listing shows what is
 * said about each.
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
    for (const reply of replies) lines.push(line.quote === '' && !isGoneOnWith(reply) ? `${reply} ` : reply);
  }
  return `${lines.join('\n')}\n`;
}

/** PowerShell reads `@`, `,` and `$` as its own: such a word stands in quotes. */
export function quoteForPowerShell(value: string): string {
  return /^[A-Za-z0-9_./:=+-]*$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

function head(answer: CompletionAnswer, split: (prefix: string) => readonly string[]): string[] {
  return answer.files ? ['files', ...split(answer.files.prefix)] : ['words'];
}

function isGoneOnWith(text: string): boolean {
  return /[=@:.,/]$/.test(text);
}

function escapeForBash(text: string, quote: BashLine['quote']): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replace(/["\\$`]/g, '\\$&');
  return text.replace(/[^\w@%+=:,./-]/g, '\\$&');
}

/** Marks that move or hide text, and all controls: nothing of them may reach a terminal through a shell. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const UNSAFE_ALL = new RegExp(UNSAFE, 'gu');
const LONGEST_ABOUT = 120;

/** Candidates that are safe to show and to insert, each once. */
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
