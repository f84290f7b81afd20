import { cops, say } from '../base/text/command-line.js';

/** How several subscriptions are postponed: each new date counts from its own, which is read first. */
export const ONE_BY_ONE = say`Each new date counts from the subscription's own, so postpone takes one at a time. For many: ${cops`subscriptions list --all-time --where status=active -o ids`} | xargs -I ID ${cops`subscriptions postpone ID --by 14d --dry-run`}`;

/** True for a line that postpones several: `bulk subscriptions postpone`, or more than one id. */
export const postponesMany = (words: readonly string[]): boolean =>
  /^(?:bulk subscriptions postpone\b|subscriptions postpone \S+ \S)/.test(words.join(' '));
