import { FAMILY_INDEX, familyByCommand, loadFamily } from '../../catalogue/index.js';
import { synonymOf, type WordPlace } from '../../catalogue/synonyms.js';
import { ERROR_CODES } from '../../catalogue/terms.js';
import { meaningsOf, type WordMeaning } from '../../session/lookup/meanings.js';
import { REFERENCE_TOPICS } from '../help/reference-topics.js';
import type { Session, ToolAnswer } from './session.js';

const MOST_OPERATIONS = 30;
const MOST_MEANINGS = 12;
const PLACES: readonly WordPlace[] = ['command', 'action', 'option'];

/**
 * Finds operations by words, and other meanings of the words: codes, events, states, fields, topics, terms of the
 * trade.
 */
export async function search(session: Session, text: string): Promise<ToolAnswer> {
  const words = text
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== '');
  const spoken = words.map((word) => [word, ...synonymsOf(word).flatMap(({ means }) => means?.split(/[\s-]+/) ?? [])]);
  const operations = await operationsFor(session, spoken, words.join(' '));
  const meanings = (await allMeanings(text, words)).flatMap((one) => shownMeaning(session, one));
  return {
    structured: {
      operations: operations.slice(0, MOST_OPERATIONS),
      total: operations.length,
      complete: operations.length <= MOST_OPERATIONS && meanings.length <= MOST_MEANINGS,
      meanings: meanings.slice(0, MOST_MEANINGS),
      meanings_total: meanings.length,
    },
  };
}

/** A meaning, limited to the families of this server. */
function shownMeaning({ families }: Session, meaning: WordMeaning): WordMeaning[] {
  if (families === undefined) return [meaning];
  const isGiven = (words: string): boolean =>
    families.has(familyByCommand(words.trim().split(' ')[0] ?? '')?.name ?? '');
  if (meaning.kind === 'action') return isGiven(meaning.name) ? [meaning] : [];
  if (meaning.kind !== 'field') return [meaning];
  const { more, ...rest } = meaning;
  const where = (more ?? '').split(', ').filter(isGiven);
  return [where.length > 0 ? { ...rest, more: where.join(', ') } : rest];
}

async function operationsFor({ families }: Session, spoken: readonly (readonly string[])[], phrase: string) {
  const found: { readonly score: number; readonly operation: string; readonly risk: string; readonly about: string }[] =
    [];
  for (const entry of FAMILY_INDEX) {
    if (families && !families.has(entry.name)) continue;
    const family = await loadFamily(entry.name);
    for (const { action, risk, summary } of family.operations) {
      const operation = `${entry.command} ${action}`;
      const known = `${operation} ${summary} ${family.summary}`.toLowerCase();
      const fitting = spoken.filter((alike) => alike.some((word) => known.includes(word.replace(/s$/, ''))));
      const score = fitting.length + (operation.includes(phrase) ? 1 : 0);
      if (score > 0) found.push({ score, operation, risk, about: summary });
    }
  }
  return found.sort((one, other) => other.score - one.score).map(({ score: _, ...rest }) => rest);
}

async function allMeanings(text: string, words: readonly string[]): Promise<WordMeaning[]> {
  const asked = [...new Set([text.trim(), ...words])].filter((word) => word.length > 1);
  const found = [
    ...(await Promise.all(asked.map(meaningsOf))).flat().filter(({ kind }) => kind !== 'family'),
    ...words.flatMap((word) =>
      synonymsOf(word).map(({ means, says }) => ({
        kind: 'term of the trade',
        name: word,
        meaning: [means === undefined ? '' : `Here: ${means}.`, says ?? ''].filter((part) => part !== '').join(' '),
      })),
    ),
    ...ERROR_CODES.filter(({ meaning }) => saysAll(meaning, words)).map(({ code, meaning, hint }) => ({
      kind: 'error code',
      name: code,
      meaning,
      more: hint,
    })),
    ...Object.entries(REFERENCE_TOPICS)
      .filter(([name, about]) => saysAll(`${name} ${about}`, words))
      .map(([name, about]) => ({ kind: 'topic', name, meaning: about, more: `cops reference ${name}` })),
  ];
  return [...new Map(found.map((one) => [`${one.kind} ${one.name} ${one.meaning}`, one])).values()];
}

function synonymsOf(word: string) {
  return PLACES.flatMap((place) => synonymOf(place, word) ?? []);
}

function saysAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.length > 0 && words.every((word) => lower.includes(word));
}
