import type { CommandLine, Placeholder } from '../../base/text/command-line.js';
import { parseSpan } from '../../base/time/spans.js';
import { parseWhen, type WhenContext } from '../../base/time/when.js';
import { zoneOf } from '../../base/time/zones.js';
import type { World } from '../../base/world.js';
import { canonicalAction, FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import { formatTraits } from '../../screen/output-formats.js';
import type { OperationInput } from '../../session/operation/spec.js';
import { dashed, wordPositions } from '../parser/argv.js';
import { globalOptions } from '../parser/parser.js';

/** The parser's reading of a line. */
interface Parsed {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly tooMany?: string | undefined;
  readonly input?: OperationInput | undefined;
}

const HELP = ['--help', '-h'];

/**
 * The fault of a proposed line: names, options, the number of words, and the values of global options. Undefined for a
 * line that would run.
 */
export async function proposalFault(
  { words: given }: CommandLine,
  parse: (words: readonly string[]) => Promise<Parsed>,
  world: Pick<World, 'argv' | 'now'>,
): Promise<string | undefined> {
  const now = world.now();
  const words = withStandIns(given);
  const line = words.filter((word) => !HELP.includes(word));
  const [head, ...more] = wordPositions(line).map((at) => line[at] ?? '');
  if (head === 'help' && more.length > 0) {
    const { helpText } = await import('../help/help.js');
    return helpText(more, false).then(
      () => undefined,
      (error: Error) => error.message,
    );
  }
  if (line.length < words.length || head === 'help') {
    if (head === undefined || familyByCommand(head)) return undefined;
    const { commandSpec } = await import('../commands/index.js');
    return commandSpec(dashed(head)) ? undefined : `there is no ${head}`;
  }
  // A family or command alone names a place to look; it is not a line to run.
  if (head !== undefined && more.length === 0 && line.length === 1 && familyByCommand(head)) return undefined;
  try {
    const { globals, tooMany, input } = await parse(line);
    if (tooMany !== undefined) return `${tooMany} is one argument too many`;
    const { output, tz } = globalOptions(globals);
    const zone = zoneOf(tz ?? 'UTC');
    for (const [at, word] of line.entries()) checkMoment(word, line[at + 1] ?? '', { now, zone });
    // Some commands write a format of their own.
    const isFormat = output === undefined || /^(?:dot|tap)$/.test(output) || formatTraits(output.toLowerCase());
    if (!isFormat) return `"${output}" is not an output format`;
    return input && saysBody(input)
      ? await (await import('./proposed-body.js')).bodyFault(input, given, world.argv, { now, zone })
      : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** True where a line itself contains a body that can be checked. */
function saysBody({ operation, options, typed }: OperationInput): boolean {
  const isGiven = (options.data ?? []).length + Object.keys(typed).length > 0;
  return operation.method === 'POST' && isGiven && options.body === undefined && options.validate !== false;
}

/** Values of `--from` and `--to` that are no time: the environments of a set-up, and a receiver of events. */
const PLACE = /^(?:(?:[^:]+:)?(?:test|live)|https?:.*)$/;

/** Checks the value of an option that takes a time. @throws CopsError usage */
function checkMoment(option: string, value: string, clock: Pick<WhenContext, 'now' | 'zone'>): void {
  if ((option === '--from' || option === '--to') && !PLACE.test(value))
    parseWhen(value, { ...clock, edge: 'start', option });
  if (option === '--last' || option === '--next') parseSpan(value, option);
}

/** A stand-in for a placeholder, by a word in its name. */
const STAND_INS: readonly (readonly [RegExp, string])[] = [
  [/when|date/, 'today'],
  [/\bn\b|number|count/, '1'],
  [/family|list/, 'customers'],
  [/action/, 'list'],
  [/mode/, 'test'],
  [/url/, 'https://api.example.com/v2'],
  [/file|out|folder|journal/, 'rows.csv'],
  [/env:NAME|ref/, 'env:NAME'],
  [/name|term|client/, 'name'],
];
const ID = 'ABCDEFGHIJ0123456789';

/** The words with each placeholder replaced by something of the right form. */
function withStandIns(words: readonly (string | Placeholder)[]): string[] {
  const action = words.find((word) => typeof word === 'string' && !word.startsWith('-'));
  return words.map((word) => {
    if (typeof word === 'string') return word;
    if (word.text === '<family>')
      return FAMILY_INDEX.find((entry) => canonicalAction(entry, [String(action)]))?.command ?? 'customers';
    if (word.text.includes('|') && !word.text.startsWith('<')) return word.text.split('|')[0] ?? '';
    return word.text.replaceAll(
      /<([^>]*)>|"?\.\.\."?/g,
      (place) => STAND_INS.find(([name]) => name.test(place))?.[1] ?? ID,
    );
  });
}
