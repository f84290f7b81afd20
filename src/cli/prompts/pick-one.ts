import type { PickedLine } from '../../session/context/context.js';
import type { Question } from './fresh-input.js';

/** What a list to pick from needs from the terminal. */
interface Picking {
  readonly message: string;
  readonly choices: readonly PickedLine[];
  readonly ask: (question: Question) => Promise<unknown>;
  /** True where prompts write one line and read one line. */
  readonly isPlain: boolean;
  readonly screen: Pick<NodeJS.WriteStream, 'write' | 'columns'>;
}

/** Choices shown in one list; typing finds the rest. */
const MOST_SHOWN = 50;
/** The same for plain prompts, where every line is read aloud. */
const MOST_PLAIN = 10;
const LINES_SEEN = 10;
const NARROW_SCREEN = 80;
/** Columns of the pointer before a choice. */
const POINTER = 4;

/** Asks which of several items is meant; undefined for none of them. */
export async function pickFrom(picking: Picking): Promise<string | undefined> {
  const { choices } = picking;
  const folded = choices.map(({ name }) => fold(name));
  const matching = (typed: string): readonly PickedLine[] => {
    const words = fold(typed).split(/\s+/);
    return choices.filter((_, at) => words.every((word) => folded[at]?.includes(word)));
  };
  return picking.isPlain ? pickPlainly(picking, matching) : pickAtScreen(picking, matching);
}

type Matching = (typed: string) => readonly PickedLine[];

async function pickAtScreen({ message, ask, screen }: Picking, matching: Matching): Promise<string | undefined> {
  const wide = (screen.columns ?? NARROW_SCREEN) - POINTER;
  const source = (typed = ''): readonly object[] => {
    const found = matching(typed);
    const shown = found
      .slice(0, MOST_SHOWN)
      .map(({ value, name }) => ({ value, name: cut(name, wide), short: 'this one' }));
    const more = found.length - shown.length;
    const rest = more > 0 ? [{ value: '', name: `${more} more: type to narrow`, disabled: true }] : [];
    return [...shown, ...rest, { value: '', name: 'None of these', short: 'none' }];
  };
  const answer = await ask({ type: 'search', message, source, pageSize: LINES_SEEN, mayLeave: true });
  return answer === undefined || answer === '' ? undefined : String(answer);
}

/** A number picks a choice, anything else narrows the list, an empty line leaves. */
async function pickPlainly({ message, ask, screen }: Picking, matching: Matching): Promise<string | undefined> {
  let found = matching('');
  for (;;) {
    const shown = found.slice(0, MOST_PLAIN);
    shown.forEach(({ name }, at) => {
      screen.write(`  ${at + 1}. ${name}\n`);
    });
    if (found.length > shown.length) screen.write(`  and ${found.length - shown.length} more\n`);
    screen.write(`${message}\n`);
    const how = 'Type its number, part of it to narrow the list, or nothing to leave:';
    const typed = String(await ask({ type: 'input', message: how })).trim();
    if (typed === '') return undefined;
    const numbered = /^\d{1,2}$/.test(typed) ? shown[Number(typed) - 1] : undefined;
    if (numbered) return numbered.value;
    found = matching(typed);
    if (found.length === 0) screen.write(`Nothing contains "${typed}".\n`);
  }
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

const cut = (text: string, wide: number): string => (text.length > wide ? `${text.slice(0, wide - 1)}…` : text);
