import { say, type Text } from '../../base/text/command-line.js';
import { type FamilyIndexEntry, operationMeant } from '../../catalogue/index.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import { operationSpec } from '../../session/operation/spec.js';
import { wordPositions } from '../parser/argv.js';
import { pasted } from './pasted.js';
import { actionsOf } from './suggest.js';

/**
 * The complete line for one that gives options to a family without an action, which means its list, or puts the action
 * after them. Undefined unless the action takes all the options.
 */
export async function withAction(argv: readonly string[], entry: FamilyIndexEntry): Promise<Text | undefined> {
  const [head = 0] = wordPositions(argv);
  const behind = argv.slice(head + 1);
  if (!behind.some((word) => word.startsWith('-'))) return undefined;
  const actions = actionsOf(entry);
  const late = behind.findIndex((word) => actions.includes(word));
  const action = late < 0 ? 'list' : (behind[late] ?? '');
  const rest = late < 0 ? behind : behind.toSpliced(late, 1);
  const meant = actions.includes(action) ? await operationMeant([entry.command, action]) : undefined;
  if (!meant) return undefined;
  const { options = [] } = operationSpec(meant.family, meant.operation);
  const known = [...GLOBAL_OPTIONS, ...options].flatMap(({ flags }) => flags.match(/--?[\w-]+/g) ?? []);
  const isKnown = (word: string): boolean => known.includes(word.replace(/=.*/s, ''));
  if (rest.some((word) => /^-./.test(word) && !isKnown(word))) return undefined;
  return say`Did you mean "${pasted([...argv.slice(0, head + 1), action, ...rest])}"?`;
}
