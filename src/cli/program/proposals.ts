import { familyByCommand, operationMeant } from '../../catalogue/index.js';
import { dashed, wordsOf } from '../parser/argv.js';

/** A command line that a text proposes: its words, and where it stands with what belongs to it. */
export interface Proposal {
  readonly words: readonly string[];
  /** Where the text ends that is wrong together with the line. */
  readonly from: number;
  readonly to: number;
}

/** Every line of `cops` that a text proposes, word for word as a shell takes it. */
export function proposalsIn(text: string): Proposal[] {
  const found: Proposal[] = [];
  for (const match of text.matchAll(/(["`]|^|[:,(] |\bor |\n|[.?!] )cops (?=\S)/g)) {
    const at = match.index + match[0].length;
    if (found.some(({ to }) => at < to)) continue;
    const quote = /["`]/.test(match[1] ?? '') ? (match[1] ?? '') : '';
    const { words, end } = shellWords(text, at, quote);
    if (words.length > 0) found.push({ words, ...sentenceAround(text, match.index, end) });
  }
  return found;
}

/** The words from a place on, up to the quote around them, or to where a sentence goes on or ends. */
function shellWords(text: string, start: number, quote: string): { words: string[]; end: number } {
  const words: string[] = [];
  let word: string | undefined;
  let at = start;
  const close = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? '') + text.slice(at + 1, end < 0 ? undefined : end);
      at = end < 0 ? text.length : end;
    } else if (letter === '\\' && text[at + 1] === "'") {
      word = `${word ?? ''}'`;
      at++;
    } else if (letter === '"' && quote !== '"') {
      const end = text.indexOf('"', at + 1);
      if (end < 0) break;
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (letter === quote || letter === '\n') break;
    else if (/\s/.test(letter)) {
      close();
      if (quote === '' && words.at(-1) === '--help') break;
    } else if (quote === '' && word === undefined && /[(>|]/.test(letter) && !/^<\w/.test(text.slice(at))) break;
    else if (quote === '' && /[.,;:?!)]/.test(letter) && /^[.,;:?!)]+(?:\s|$)/.test(text.slice(at))) break;
    // What a shell does with the line, and what a sentence says of it.
    else if (word === undefined && /^(?:(?:>|\||&&|takes)(?:\s|$)|\[)/.test(text.slice(at))) break;
    else word = (word ?? '') + letter;
  }
  close();
  return { words, end: at };
}

/** From the begin of the sentence that a line stands in, to its end. */
function sentenceAround(text: string, start: number, end: number): { from: number; to: number } {
  const before = text.slice(0, start);
  const border = Math.max(before.lastIndexOf('. '), before.lastIndexOf('? '), before.lastIndexOf('\n') - 1);
  const from = /^[\n.?!]/.test(text[start] ?? '') ? start + 1 : border < 0 ? 0 : border + 2;
  const behind = /[.?!]["`)]*(?=\s|$)|\n|$/.exec(text.slice(end));
  return { from: Math.min(from, start + 1), to: end + (behind?.index ?? 0) + (behind?.[0].length ?? 0) };
}

/** A word of which the reader is to make one of his own. */
const isPlace = (word: string): boolean => /<[\w -]+>|\.\.\./.test(word);

/** Says what is wrong with a line, by the parser's own words; undefined for one that would run. */
export type Judge = (words: readonly string[], hasPlaces: boolean) => Promise<string | undefined>;

/** Words that say that something is only looked at. */
const LOOKING =
  /^(?:list|ls|get|show|view|find|search|count|describe|status|check|history|read|display|lookup|tail|watch|info|details|query|export|report|diff)$/;
/** Commands, and what stands below them, that change something. */
const CHANGING =
  /^(?:reset|logout|update|bulk(?! list| status| report)|(?:sandbox (?:reset|clock|keys|trigger))|(?:setup (?:apply|promote|resume))|(?:policy (?:add|remove|edit))|(?:profiles (?:add|edit|rename|remove|use))|(?:config (?:set|unset))|(?:alias (?:set|remove)))\b/;
/** Options that take a guard away, or say where a line goes. */
const GUARDS = ['--live', '--yes', '-y', '--no-strict-ids', '--mode-unproven', '--send-key-to'];
const VERBS_THAT_READ = /^(?:check|tail|show)$/;

/** Whether a line only shows something; undefined where its words name nothing. */
async function onlyReads(words: readonly string[]): Promise<boolean | undefined> {
  const spoken = wordsOf(words);
  const meant = await operationMeant(spoken);
  if (meant) return meant.operation.risk === 'read';
  const [head = '', second = ''] = spoken.map(dashed);
  if (familyByCommand(head)) return VERBS_THAT_READ.test(second) || LOOKING.test(second) ? true : undefined;
  return CHANGING.test(spoken.join(' ')) ? false : undefined;
}

/** Whether what is proposed does more than what was typed asks for: who looks at something is led to no write. */
export async function isRiskier(typed: readonly string[], proposed: readonly string[]): Promise<boolean> {
  const isNew = (guard: string): boolean => proposed.includes(guard) && !typed.includes(guard);
  const shows = await onlyReads(proposed);
  // Who looks for somebody in test mode is shown the line that looks in live mode; it is theirs to type.
  if (GUARDS.some((guard) => isNew(guard) && !(guard === '--live' && shows === true))) return true;
  if (shows !== false) return false;
  const reads = await onlyReads(typed);
  return (
    reads === true ||
    (reads === undefined &&
      wordsOf(typed)
        .slice(0, 2)
        .some((word) => LOOKING.test(dashed(word))))
  );
}

/**
 * The text without the lines that would not run, and the sentences around them; undefined where nothing is left.
 * @param told of each line with what is wrong with it
 */
export async function withoutWrongLines(
  text: string,
  judge: Judge,
  told: (line: string, fault: string | undefined) => void = () => undefined,
): Promise<string | undefined> {
  let left = text;
  for (const { words, from, to } of proposalsIn(text).reverse()) {
    const fault = await faultOf(words, judge);
    told(words.join(' '), fault);
    if (fault !== undefined) left = `${left.slice(0, from)}${left.slice(to).replace(/^\s+/, '')}`;
  }
  return left.trim() === '' ? undefined : left.trim();
}

/** What is wrong with a line, behind which a sentence may go on: the words up to its last option are surely of it. */
async function faultOf(words: readonly string[], judge: Judge): Promise<string | undefined> {
  const whole = await judge(words, words.some(isPlace));
  if (whole === undefined) return undefined;
  const last = words.findLastIndex((word) => word.startsWith('-'));
  for (let count = words.length - 1; count > Math.max(0, last); count--) {
    const part = words.slice(0, count);
    if ((await judge(part, part.some(isPlace))) === undefined) return undefined;
  }
  return whole;
}
