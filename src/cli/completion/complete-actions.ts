import type { FamilyIndexEntry } from '../../catalogue/index.js';
import type { SubcommandSpec } from '../../session/context/spec.js';
import { familyActions } from '../commands/index.js';
import { type CompletionCandidate, namedCandidates } from './answer.js';

/** The words that may follow in an action: `list`, or `payment-methods` with what is below it. */
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
