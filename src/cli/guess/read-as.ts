import { shellWord } from '../../base/text/command-line.js';
import { familyByCommand, loadFamily, operationMeant } from '../../catalogue/index.js';
import { synonymOf } from '../../catalogue/synonyms.js';
import type { Operation } from '../../catalogue/types.js';
import { dashed, type Reworded, rangeIn, wordPositions, wordsOf } from '../parser/argv.js';
import { daysIn, formOf, type ValueForm } from './card-hint.js';
import { meantLine } from './suggest.js';
import { turnedLine } from './turned-line.js';

/** Commands, other than families, that only show something. */
const SHOWING: ReadonlySet<string> = new Set([
  '--version',
  'find',
  'history',
  'report',
  'overview',
  'help',
  'reference',
  'whoami',
  'commands',
  'profiles list',
  'setup diff',
]);

/** Words for writing a list to a file. */
const FILES: ReadonlySet<string> = new Set(['export', 'dump', 'download', 'save']);

/**
 * The line with our word in place of a common synonym, if the synonym is spelled right, its meaning is plain and the
 * line writes nothing: `refunds list` is read as `pending-refunds list`. A few lines that name a write exactly, only in
 * another order, are put in ours; they ask as always. Undefined for everything else: that gets a hint.
 */
export async function readAs(argv: readonly string[]): Promise<Reworded | undefined> {
  const positions = wordPositions(argv);
  const [head = '', second] = positions.map((at) => argv[at] ?? '');
  const turned = turnedLine(argv);
  if (turned && !turned.isHint) return turned;
  const entry = familyByCommand(head);
  const isFiled = FILES.has(dashed(second ?? '')) && argv.some((word) => /^--out(?:=|$)/.test(word));
  const first = second === 'bulk' ? 'bulk' : isFiled ? 'export' : undefined;
  if (entry && first !== undefined) {
    const rest = argv.filter((_word, at) => at !== positions[0] && at !== positions[1]);
    return { argv: [first, head, ...rest], note: `${head} ${second} is read as ${first} ${head}.` };
  }
  const typed = entry ? second : head;
  if (typed === undefined || !synonymOf(entry ? 'action' : 'command', dashed(typed))?.same) return undefined;
  // If the family has its own answer to the word, that answer wins over any other meaning.
  if (entry && Object.hasOwn((await loadFamily(entry.name)).instead ?? {}, dashed(typed))) return undefined;
  const meant = meantLine(argv, entry);
  if (!meant || !(await onlyShows(meant))) return undefined;
  // Never guesses which new items to watch for.
  if (!entry && second === undefined && wordsOf(meant)[1] === 'tail') return undefined;
  const spoken = wordsOf(meant);
  const words = entry ? spoken.slice(0, 2) : spoken.slice(0, familyByCommand(spoken[0] ?? '') ? 2 : 1);
  const said = entry ? [head, second ?? ''] : familyByCommand(spoken[0] ?? '') && second ? [head, second] : [head];
  return { argv: meant, note: `${said.join(' ')} is read as ${(words.length > 0 ? words : meant).join(' ')}.` };
}

/** The path of an item's field for each group of a report. */
const GROUPS: Readonly<Record<string, string>> = {
  country: 'customer.country',
  product: 'product.name',
  campaign: 'campaign_name',
  currency: 'iso_currency',
  status: 'status',
  day: 'created:day',
  week: 'created:week',
  month: 'created:month',
  quarter: 'created:quarter',
  year: 'created:year',
};
/** Options of a report that lists do not have. */
const OF_REPORTS = /^--(?:across|against|chart|compare|rows|top|overdue-days|journal|mirror|html|out|sql|explain)\b/;

/**
 * `report postage --by country`, if a list has the answer: that list, grouped and added up. Undefined if the report
 * exists, or if the line asks for more than a list can do.
 */
export async function reportAsList(argv: readonly string[]): Promise<Reworded | undefined> {
  const [head = 0, at = 0] = wordPositions(argv);
  if (at === 0 || argv.some((word) => OF_REPORTS.test(word))) return undefined;
  const { spokenReport } = await import('../../data/report/spoken.js');
  const list = spokenReport(argv[at] ?? '')?.list?.split(' ');
  if (!list) return undefined;
  const rest = argv.filter((_word, index) => index !== head && index !== at);
  const by = rest.findIndex((word) => word === '--by' || word.startsWith('--by='));
  if (by >= 0) {
    const joined = rest[by]?.startsWith('--by=');
    const asked = joined ? rest[by]?.slice('--by='.length) : rest[by + 1];
    const groups = (asked?.toLowerCase() ?? '').split(',').map((name) => GROUPS[name.trim()]);
    const place = list.indexOf('--group-by') + 1;
    if (groups.includes(undefined) || place === 0) return undefined;
    list[place] = groups.join(',');
    rest.splice(by, joined ? 1 : 2);
  }
  return {
    argv: [...list, ...rest],
    note: `report ${argv[at]} is read as ${[...list, ...rangeIn(rest)].map(shellWord).join(' ')}.`,
  };
}

async function onlyShows(line: readonly string[]): Promise<boolean> {
  if (line.includes('--version')) return true;
  const words = wordsOf(line);
  const [head = '', second = ''] = words;
  if (!familyByCommand(head)) return SHOWING.has(head) || SHOWING.has(`${head} ${second}`);
  if (second === 'tail') return true;
  const operation = (await operationMeant(words))?.operation;
  return operation !== undefined && operation.risk === 'read' && operation.method === 'GET';
}

/** The field of a body that a bare value belongs to, by its form. */
const FIELD_OF: Readonly<Partial<Record<ValueForm, string>>> = { amount: 'amount', span: 'days' };

/** The line of a write with the value after its id moved into the only option that takes it: `refund ID 50%`. */
export function valueAsOption(typed: {
  readonly argv: readonly string[];
  readonly value: string;
  readonly operation: Operation;
}): Reworded | undefined {
  const { argv, value, operation } = typed;
  const form = formOf(value);
  const field = form && FIELD_OF[form];
  const at = argv.lastIndexOf(value);
  const given = form === 'span' ? daysIn(value) : value;
  const isGiven = argv.some((word) => word.replace(/=.*/s, '') === `--${field}` || word.startsWith(`${field}=`));
  if (field === undefined || given === undefined || isGiven || !operation.body?.fields?.[field]) return undefined;
  return {
    argv: [...argv.slice(0, at), `--${field}`, given, ...argv.slice(at + 1)],
    note: `${value} is read as --${field} ${given}.`,
  };
}
