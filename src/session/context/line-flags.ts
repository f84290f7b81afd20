import { type CommandLine, type Text, withLines } from '../../base/text/command-line.js';
import { familyByCommand } from '../../catalogue/index.js';

/** Commands besides the families that use the service, or store something, for a profile and a mode. */
const OF_A_PROFILE: ReadonlySet<string> = new Set(
  'api bulk changes events export find mcp open openapi overview pick reconcile report setup sql sync timeline whoami why'.split(
    ' ',
  ),
);

/** Options that already say which account a line is for. */
const OF_AN_ACCOUNT = ['-p', '--profile', '--live', '--test'];

/** A profile and a mode, if a line names them. */
export interface Account {
  readonly profile?: string | undefined;
  readonly mode?: 'test' | 'live' | undefined;
}

/** Adds the account to a line that needs one but names none. */
export function aimed(line: CommandLine, { profile, mode }: Account): CommandLine {
  const [head] = line.words;
  const isAimed = line.profile ?? line.mode ?? line.words.find((word) => OF_AN_ACCOUNT.includes(String(word)));
  if (isAimed !== undefined || typeof head !== 'string') return line;
  // A login is for a profile in both modes.
  if (head === 'login') return line.in(profile, undefined);
  return OF_A_PROFILE.has(head) || familyByCommand(head) ? line.in(profile, mode) : line;
}

/** The text with each of its lines for that account. */
export const aimedText = (text: Text, account: Account): Text => withLines(text, (line) => aimed(line, account));
