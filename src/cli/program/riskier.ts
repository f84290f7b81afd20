import { type CommandLine, type Text, withLines } from '../../base/text/command-line.js';
import { familyByCommand, operationMeant } from '../../catalogue/index.js';
import { dashed, wordsOf } from '../parser/argv.js';

/** The words of a line as typed, placeholders included. */
export const typedWords = ({ words }: CommandLine): string[] =>
  words.map((word) => (typeof word === 'string' ? word : word.text));

/** Words that only look at something. */
const LOOKING =
  /^(?:list|ls|get|show|view|find|search|count|describe|status|check|history|read|display|lookup|tail|watch|info|details|query|export|report|diff)$/;
/** Commands and subcommands that change something. */
const CHANGING =
  /^(?:reset|logout|update|bulk(?! list| status| report)|(?:sandbox (?:reset|clock|keys|trigger))|(?:setup (?:apply|promote|resume))|(?:policy (?:add|remove|edit))|(?:profiles (?:add|edit|rename|remove|use))|(?:config (?:set|unset))|(?:alias (?:set|remove)))\b/;
/** Options that remove a guard or say where a line goes. */
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

/**
 * The answer to a typed line. Where that line is a dry run, so are the proposed writes: no hint turns a trial into a
 * write.
 */
export async function asTried<T extends Text>(typed: readonly string[], answer: T): Promise<T> {
  if (!typed.includes('--dry-run')) return answer;
  const lines: CommandLine[] = [];
  withLines(answer, (line) => {
    lines.push(line);
    return line;
  });
  const writes = new Set<CommandLine>();
  for (const line of lines) {
    const words = typedWords(line);
    if (!words.includes('--dry-run') && !words.includes('--help') && (await onlyReads(words)) === false)
      writes.add(line);
  }
  return withLines(answer, (line) => (writes.has(line) ? line.and('--dry-run') : line));
}

/** Whether a proposed line does more than the typed one: a line that only looks never leads to a write. */
export async function isRiskier(typed: readonly string[], proposed: readonly string[]): Promise<boolean> {
  if (proposed.includes('--help')) return false;
  const isNew = (guard: string): boolean => proposed.includes(guard) && !typed.includes(guard);
  // A line that names part of a sum never leads to a full refund.
  const isPart = (words: readonly string[]): boolean => words.some((word) => /^(?:--amount|amount=)|\d%$/.test(word));
  if (proposed.includes('refund') && isPart(typed) && !isPart(proposed)) return true;
  const shows = await onlyReads(proposed);
  // A look-up in test mode may be answered with the same look-up in live mode; the user decides whether to type it.
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
