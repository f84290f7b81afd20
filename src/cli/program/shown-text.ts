import { CommandLine, Note, type Text } from '../../base/text/command-line.js';
import type { World } from '../../base/world.js';
import { type Account, aimedText } from '../../session/context/line-flags.js';

/** Returns what is wrong with a line, in the parser's words; undefined for one that would run. */
export type Judge = (line: CommandLine) => Promise<string | undefined>;

/**
 * A text as it is shown, with its lines for the account of the line that it answers. A line that would not run is left
 * out with the text around it: undefined where nothing is left.
 * @param told of each line with what is wrong with it
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

/** The text without the parts whose lines would not run; undefined where it cannot do without them. */
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
  // A line dropped with the text around it is not proposed to anyone.
  for (const [line, fault] of judged) if (isLeft || fault !== undefined) told(line, fault);
  return isLeft ? new Note(parts, text.between) : undefined;
}
