import { usage } from '../../../base/errors/errors.js';
import { nearest } from '../../../base/errors/nearest.js';
import { cops, say } from '../../../base/text/command-line.js';
import { PERMISSIONS_UNLISTED } from '../../../catalogue/permissions.js';
import { itemsOf } from '../../../items/json/item-json.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { meaningsOf, vocabulary } from '../../../session/lookup/meanings.js';
import { REFERENCE_TOPICS } from '../../help/reference-topics.js';

/** `cops explain <word>`, offline. @throws CopsError `usage` with the nearest word for an unknown one */
export async function run(_context: Context, { words: [word = ''] }: CommandInput): Promise<Done> {
  const found = await meaningsOf(word);
  if (found.length === 0) {
    const topic = Object.keys(REFERENCE_TOPICS).find((one) => one === word.trim().toLowerCase());
    if (topic === 'permissions') throw usage(PERMISSIONS_UNLISTED, cops`reference permissions`);
    if (topic) throw usage(`"${word}" is a topic, not a term.`, say`To see it: ${cops`reference ${topic}`}`);
    const [near] = nearest(word.trim().toLowerCase(), await vocabulary());
    throw usage(
      `"${word}" is not a known term.`,
      near
        ? `Did you mean "cops explain ${near}"?`
        : 'It explains error codes, exit codes, events, states, fields and families; cops reference lists them.',
    );
  }
  const items = itemsOf(found.map((meaning) => ({ ...meaning, more: meaning.more ?? '' })));
  const prose = 'prose' as const;
  const columns = [{ path: 'kind' }, { path: 'name' }, { path: 'meaning', as: prose }, { path: 'more', as: prose }];
  return { result: { shape: 'list', items, columns, idField: 'name', shares: true } };
}
