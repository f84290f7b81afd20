import { copsLine, type Placeholder, placeholder, say, type Text } from '../../base/text/command-line.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import { wordsOf } from '../parser/argv.js';

const SEVERAL = /^(?:bulk subscriptions postpone\b|subscriptions postpone (?:-$|- |\S+ \S))/;
const OF_BULK = /^--(?:where|with|without|ids|input|from|to|last|reason)$/;

/**
 * The bulk line for a `postpone` that names several subscriptions: each moves on from its own date, or, with `--until`,
 * those that renew earlier move to that day. Undefined for any other line.
 */
export function postponedTogether(argv: readonly string[]): Text | undefined {
  const words = wordsOf(argv);
  if (!SEVERAL.test(words.join(' '))) return undefined;
  const ids = words.filter(looksLikeId);
  const rows = ids.length > 0 ? ['--where', `id=${ids.join(',')}`] : words.includes('-') ? ['--ids', '-'] : [];
  const more: string[] = [];
  let to: string | undefined;
  for (let at = 0; at < argv.length; at++) {
    const [option = '', joined] = (argv[at] ?? '').split(/=(.*)/s, 2);
    if (!/^-./.test(option)) continue;
    const flags = GLOBAL_OPTIONS.find((one) => one.flags.split(/,? /).includes(option))?.flags;
    const isSwitch = flags !== undefined && !flags.includes('<');
    const value = joined ?? (isSwitch ? '' : (argv[++at] ?? ''));
    if (isSwitch) more.push(option);
    else if (flags !== undefined) more.push(option, value);
    else if (option === '--by') to = `{next_renewal}+${value.replace(/^\+/, '')}`;
    else if (option === '--until') {
      to = value;
      // As with the action itself, no renewal moves to an earlier date.
      more.push('--where', `next_renewal<${value}`);
    } else if (option === '--next') rows.push('--where', 'next_renewal>=today', '--where', `next_renewal<=+${value}`);
    else if (OF_BULK.test(option)) rows.push(option, value);
    else rows.push('--where', `${option.slice(2)}=${value}`);
  }
  const which: (string | Placeholder)[] = rows.length > 0 ? rows : ['--ids', placeholder('<file>')];
  const date = to === undefined ? placeholder("'next_renewal_date={next_renewal}+<span>'") : `next_renewal_date=${to}`;
  const line = copsLine(['bulk', 'subscriptions', 'edit', ...which, '-d', date, ...more]);
  const how = to?.startsWith('{') === false ? 'never to an earlier date' : 'each counted from its own date';
  return say`postpone takes one subscription at a time. Many, ${how}: ${line}`;
}
