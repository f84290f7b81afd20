import { CommandLine, Note, type Text } from '../../base/text/command-line.js';
import type { World } from '../../base/world.js';
import { type Account, aimedText } from '../../session/context/line-flags.js';

/** Returns what is wrong with a line, in the parser's words; undefined for one that would run. */
export type Judge = (line: CommandLine) => Promise<string | undefined>;

/**
 * A text as shown, with its command lines for the account of the answered line. Leaves out a line that would not run,
 * with the text around it; undefined if nothing is left.
 * @param called with each line and its fault
 */
export async function readyText(
  text: Text,
  account: Account,
  judge: Judge,
  told: World['onProposal'],
): Promise<string | undefined> {
  const left = await withoutWrongLines(text, judge, told);
  return left === undefined ? undefined : String(aimedText(left, account));
}

/** The text without the parts whose lines would not run; undefined if it makes no sense without them. */
export async function withoutWrongLines(
  text: Text,
  judge: Judge,
  told: World['onProposal'] = () => undefined,
): Promise<Text | undefined> {
  if (typeof text === 'string') return text;
  if (text instanceof CommandLine) {
    const fault = await judge(text);
    told(
      text
        .in(undefined, undefined)
        .toString()
        .replace(/^cops /, ''),
      fault,
    );
    return fault === undefined ? text : undefined;
  }
  const parts: Text[] = [];
  const judged: Parameters<typeof told>[] = [];
  let isWhole = true;
  for (const part of text.parts) {
    const left = await withoutWrongLines(part, judge, (...line) => judged.push(line));
    if (left === undefined) isWhole = false;
    else parts.push(left);
  }
  const isLeft = isWhole || (text.between !== undefined && parts.length > 0);
  // A line dropped with its text is never proposed.
  for (const [line, fault] of judged) if (isLeft || fault !== undefined) told(line, fault);
  return isLeft ? new Note(parts, text.between) : undefined;
}
