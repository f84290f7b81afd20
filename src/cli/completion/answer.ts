import type { FamilyIndexEntry } from '../../catalogue/index.js';
import type { SubcommandSpec } from '../../session/context/spec.js';
import { familyActions } from '../actions/index.js';

/** One candidate at the cursor. */
export interface CompletionCandidate {
  /** The whole word, unquoted. After one that ends in `=`, `@`, `:`, `.`, `,` or `/` the user keeps typing. */
  readonly value: string;
  /** A short description, for shells that show one. */
  readonly about?: string;
}

/** What can be completed at the cursor: words, and files that the shell finds itself. */
export interface CompletionAnswer {
  readonly candidates: readonly CompletionCandidate[];
  /** The shell adds its files; `prefix` is the part of the word that is not a path (`@`, `--out=`, `name=@`). */
  readonly files?: { readonly prefix: string };
}

export const NOTHING: CompletionAnswer = { candidates: [] };

/** All files the shell finds. */
export const FILES: CompletionAnswer = { candidates: [], files: { prefix: '' } };

/** The candidates that start with the typed part. */
export function beginning(candidates: readonly CompletionCandidate[], typed: string): CompletionAnswer {
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)) };
}

/** Words as candidates, with or without a description. */
export const choices = (values: readonly (string | readonly [value: string, about: string])[]): CompletionCandidate[] =>
  values.map((one) => (typeof one === 'string' ? { value: one } : { value: one[0], about: one[1] }));

/** Named things as candidates, each with its description. */
export const namedCandidates = (
  things: readonly { readonly name: string; readonly about: string }[],
): CompletionCandidate[] => things.map(({ name, about }) => ({ value: name, about }));

/** Puts the part of the word that is already settled (`--output=`, `name=`) in front of every candidate. */
export const behind = (prefix: string, answer: CompletionAnswer): CompletionAnswer => ({
  candidates: answer.candidates.map((one) => ({ ...one, value: `${prefix}${one.value}` })),
  files: answer.files ? { prefix: `${prefix}${answer.files.prefix}` } : undefined,
});

/** The words that can follow as an action: `list`, or `payment-methods` with its subactions. */
export function actionCandidates(
  entry: FamilyIndexEntry,
  spoken: readonly string[],
  fits: (action: FamilyIndexEntry['actions'][number]) => boolean = () => true,
  further: readonly SubcommandSpec[] = familyActions(entry.name),
): CompletionCandidate[] {
  const start = spoken.length === 0 ? '' : `${spoken.join(' ')} `;
  const found = new Map<string, string>();
  const below = new Map<string, string[]>();
  for (const each of entry.actions) {
    if (!each.action.startsWith(start) || !fits(each)) continue;
    const [word = '', ...rest] = each.action.slice(start.length).split(' ');
    if (rest.length === 0) found.set(word, each.summary);
    else below.set(word, [...(below.get(word) ?? []), rest.join(' ')]);
  }
  for (const [word, actions] of below) if (!found.has(word)) found.set(word, actions.join(', '));
  return [
    ...[...found].map(([value, about]) => ({ value, about })),
    ...namedCandidates(spoken.length === 0 ? further : []),
  ];
}
