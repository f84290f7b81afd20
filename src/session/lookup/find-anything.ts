import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, joinedTexts, say } from '../../base/text/command-line.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { asMeant } from '../../items/text/typed-value.js';
import type { Context, Done } from '../context/context.js';
import type { ListAsker } from '../names/people.js';
import { openPicking } from '../read/pick-row.js';
import { MOST_REQUESTS } from './ask.js';
import { findSheet } from './find.js';
import type { LookFurther } from './find-people.js';
import { familyNamed, openLook, present, seenIn } from './look.js';
import { meaningsOf } from './meanings.js';
import { openFound } from './open-row.js';

/** Options of `cops find`, as typed. */
export interface FindCommandOptions {
  readonly in?: string;
  readonly all?: boolean;
  readonly pick?: boolean;
}

/** `cops find <anything>`: what it is, with the command that shows more. */
export async function findAnything(
  context: Context,
  word: string,
  options: FindCommandOptions,
  asker?: ListAsker,
): Promise<Done> {
  if (word.trim() === '') throw usage('cops find: say what to find.', say`For example: ${cops`find jane@example.com`}`);
  const ask =
    options.pick === true ? await openPicking(context, say`In a script: ${cops`find ${word} -o json`}`) : undefined;
  const families = options.in === undefined ? undefined : familiesOf(options.in, options.all === true);
  // --all changes nothing else: rows are cut as on every screen.
  const look = await openLook(context, { ...(options.all ? { all: true } : {}), asker });
  const further: LookFurther = async (family, term, most) => {
    const { lookThrough } = await import('../read/search-lists.js');
    return lookThrough(context, family, look.asker, term, most);
  };
  const sheet = await findSheet(look, word, {
    further,
    families,
    all: options.all === true,
    seen: looksLikeId(asMeant(word)) ? await seenIn(context, asMeant(word)) : undefined,
  });
  if (ask && sheet.sections.length > 0) return openFound(context, sheet.sections, ask);
  const mode = (await context.profile()).mode.value;
  const found = sheet.sections.some(({ word: kind, items }) => kind !== 'near_customers' && items.length > 0);
  const isNear = sheet.sections.some(({ word: kind }) => kind === 'near_customers');
  const done = await present(context, sheet, options);
  return {
    ...done,
    finish: async () => {
      const incomplete = await done.finish?.();
      if (incomplete || found || (sheet.next.length > 0 && !isNear)) return incomplete;
      const left = sheet.notRead.at(-1);
      const [meaning] = looksLikeId(word) ? [] : await meaningsOf(word);
      return new CopsError('not_found', `"${word}" was not found in the places searched.`, {
        hint: joinedTexts(
          [
            meaning && say`What the word means here: ${cops`explain ${word}`}`,
            left && say`Not everything was read: ${joinedTexts(left.commands, '; ')}`,
            `Only ${mode} mode was searched; --${mode === 'live' ? 'test' : 'live'} searches the other.`,
          ],
          '\n',
        ),
      });
    },
  };
}

function familiesOf(text: string, all: boolean): string[] {
  if (all) throw usage('--all searches everywhere: leave out --in.');
  const names = text.split(',').map((word) => familyNamed(word.trim(), '--in', ['get', 'search', 'list']));
  if (names.length > MOST_REQUESTS) throw usage(`--in takes at most ${MOST_REQUESTS} families.`, 'Use --all.');
  return [...new Set(names)];
}
