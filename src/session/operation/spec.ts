import { usage } from '../../base/errors/errors.js';
import { cops, copsLine, say, type Text, writtenLine } from '../../base/text/command-line.js';
import { WHOLE_RANGE_OPTIONS } from '../../base/time/range-options.js';
import { filterOptions, pathParameters } from '../../catalogue/index.js';
import type { Family, FamilyOperation, Operation } from '../../catalogue/types.js';
import { type MadeFilter, madeFilters, type Narrowing } from '../../items/select/made-filters.js';
import { typedOptions } from '../../service/request/operation-options.js';
import type { FilterValues } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import {
  DEFAULTS,
  type OptionSpec,
  type OptionsOf,
  optionRows,
  REASON_OPTION,
  REPEAT_OPTIONS,
  STRICT_IDS_OPTION,
  type SubcommandSpec,
} from '../context/spec.js';
import type { WriteOptions } from '../write/prepared-write.js';

/** Options that filter, sort and count the items of a list after reading them. */
const SELECT_OPTIONS = optionRows({
  '--where <condition>': {
    about:
      "keep what fits: status=active,overdue (any of them), 'amount>20', customer.country=CAN, 'card.expires<{next_renewal}', 'a=1 or b=2'; repeat for more",
    many: true,
  },
  '--with <family [conditions]>': {
    about: "keep what has such rows of another family: chargebacks, 'subscriptions status=active', 'sales count>3'",
    many: true,
  },
  '--without <family [conditions]>': { about: "keep what has no such row: 'subscriptions status=active'", many: true },
  '--sort <fields>': { about: 'put in order, the largest first with a dash: -amount,created', many: true },
  '--count': 'print how many there are',
  '--group-by <fields>': {
    about: 'count by these fields, moments by day, week, month, quarter or year: currency,created:month',
    many: true,
  },
  '--having <condition>': {
    about: "keep only groups that fit: 'count>1', 'customers>1' (different ones), 'max(created)>-30d'; repeat for more",
    many: true,
  },
  '--sum <fields>': { about: 'add these fields up exactly, each currency apart', many: true },
  '--latest-per <fields>': {
    about: 'keep only the newest item of each customer, subscription_id, ...; --having then filters these',
    many: true,
  },
});

/** Those options, with their dashes. */
export const SELECTING_FLAGS: readonly string[] = SELECT_OPTIONS.map(({ flags }) => flags.replace(/ .*/, ''));

export type SelectingOptions = OptionsOf<{ options: typeof SELECT_OPTIONS }>;

/** A list that a mirror answers, or helps to answer. */
const MIRROR_OPTIONS: readonly OptionSpec[] = optionRows({
  '--as-of <when>': 'as a mirror knew it then (it must have been syncing); each row shows when it was seen',
  '--no-sync': 'answer from the mirror as it is, without requests',
  '--max-age <span>': `use related rows from a mirror if it read them within this time (default: ${DEFAULTS.mirrorAge})`,
});

/** The options of an operation besides filters and typed fields, by kind of operation. */
export function operationOptions(family: Family, operation: Operation): OptionSpec[] {
  const options: OptionSpec[] = [];
  const { list } = operation;
  if (list?.style === 'windowed') {
    options.push(
      ...WHOLE_RANGE_OPTIONS,
      { flags: '--oldest-first', about: 'read the oldest window first' },
      // If the service's description requires dates, a list without them is refused.
      ...(operation.evidence === 'spec' && !list.datesUnproven
        ? []
        : [{ flags: '--no-range', about: 'send the list without dates' }]),
    );
  }
  if (list) {
    const usual = `items in all (default: ${DEFAULTS.terminalItems} on a terminal, else no end)`;
    options.push(
      { flags: '--limit <n>', about: list.style === 'search' ? 'at most this many matches' : usual },
      {
        flags: '--all',
        about:
          list.style === 'search'
            ? 'every match from the service'
            : `no limit${list.style === 'windowed' ? ' within the range; for everything: --all-time' : ''}`,
      },
    );
  }
  if (list?.style === 'windowed' || list?.style === 'paged') {
    options.push(
      { flags: '--page-size <n>', about: 'items per request, 1 to 25' },
      { flags: '--page <n>', about: 'only this page of one window (of the newest, if no range is given)' },
    );
  }
  if (list) options.push(...SELECT_OPTIONS);
  if (list && rowRead(family, operation))
    options.push({ flags: '--pick', about: 'choose one of the rows at the terminal, and show that' });
  if (list && operation.action === 'list' && list.style !== 'search' && pathParameters(operation).length === 0)
    options.push(...MIRROR_OPTIONS);
  if (operation.related) {
    const words = Object.keys(operation.related).map((word) => word.replaceAll('_', '-'));
    options.push({
      flags: '--with <relations>',
      about: `also read the items it names, comma-separated (in a list, --with selects): ${words.join(', ')}`,
      many: true,
    });
  }
  if (operation.method === 'POST') {
    options.push(
      { flags: '--body <json | @file | ->', about: 'the body: JSON, a JSON or YAML file, or standard input' },
      { flags: '-d, --data <path=value>', about: 'set one field of the body; repeat for more', many: true },
      { flags: '--skeleton', about: 'print a body with every known field and send nothing' },
      { flags: '--schema', about: 'print the JSON Schema of the body and send nothing' },
      { flags: '--no-validate', about: 'send the body without checking it' },
    );
    if (operation.risk !== 'read') {
      options.push(
        ...REPEAT_OPTIONS,
        STRICT_IDS_OPTION,
        ...(takesLatest(operation)
          ? [{ flags: '--latest', about: 'the newest if a person has several; never an earlier one' }]
          : []),
        REASON_OPTION,
      );
    }
    if (operation.action === 'edit' || operation.action.endsWith(' edit'))
      options.push({ flags: '--editor', about: 'open the current item in $EDITOR and send the changes' });
    if (operation.wait) {
      options.push(
        { flags: '--wait', about: 'wait until the job it starts has ended' },
        { flags: '--wait-limit <seconds>', about: `longest wait (default ${operation.wait.limitSeconds})` },
      );
    }
  }
  if (manyIds(operation)) {
    options.push(
      { flags: '--concurrency <n>', about: 'requests at once when several ids are given' },
      { flags: '--max-failures <n>', about: 'stop after this many failures when several ids are given' },
      { flags: '--expect <count>', about: 'the number of ids that must be given' },
      { flags: '--journal <file>', about: 'journal of a run over several ids' },
    );
  }
  return [...options, ...narrowingSpecs(family, operation).filter(({ isHidden }) => !isHidden)];
}

/** The filters of a list as options. */
export const filterSpecs = (operation: Operation): OptionSpec[] =>
  filterOptions(operation).map(({ option, field }) => ({
    flags: field.type === 'boolean' ? `--${option}` : `--${option} <value>`,
    about: field.enum?.join(', ') ?? '',
    many: field.many === true || field.metadata === true,
  }));

/** The filters made here for a list, besides those of the service. */
export const ownFilters = (family: Family, operation: Operation): MadeFilter[] =>
  madeFilters(
    family,
    operation,
    filterOptions(operation).map(({ option }) => option),
  );

/** Filters of a list that the service lacks, so that cops applies them itself. */
export function ownFilterSpecs(family: Family, operation: Operation): OptionSpec[] {
  if (!operation.list) return [];
  const filters = ownFilters(family, operation).map((filter) => ({
    flags: `--${filter.option} <value>`,
    about: `${filter.enum?.join(', ') ?? filter.about}; filtered here, after reading`,
    many: true,
    values: filter.enum,
  }));
  const { due } = family;
  if (!due || operation.action !== 'list') return filters;
  return [
    ...filters,
    { flags: '--next <span>', about: `${due.says} within: 7d, 2w, month, "5 december"; soonest first` },
  ];
}

/** The read of one row of a list; undefined if the list's own ids and the row's do not lead to one. */
export function rowRead({ operations }: Family, list: Operation): Operation | undefined {
  const action = list.action.replace(/[^ ]*$/, 'get');
  const ids = pathParameters(list).length + 1;
  return operations.find((one) => one.action === action && one.method === 'GET' && pathParameters(one).length === ids);
}

/** Everything that an operation's line takes. */
export function operationSpec(family: Family, operation: Operation): SubcommandSpec {
  const typed = operation.method === 'POST' ? typedOptions(operation) : [];
  return {
    name: operation.action,
    about: operation.summary,
    arguments: [{ name: '[words...]' }],
    options: [
      ...operationOptions(family, operation),
      ...(takesItem(family, operation)
        ? [{ flags: '--item <product>', about: 'the part of an order with this product' }]
        : []),
      ...filterSpecs(operation),
      ...ownFilterSpecs(family, operation),
      ...narrowingSpecs(family, operation).filter(({ isHidden }) => isHidden),
      ...typed
        .flatMap(({ flag, type }) => (type === 'boolean' ? [`--${flag}`, `--no-${flag}`] : [`--${flag} <value>`]))
        .map((flags) => ({ flags, about: '' })),
    ],
  };
}

/** True if an operation with one id takes several, or `-` (command-line.md#grammar). */
export const manyIds = (operation: Operation): boolean =>
  operation.method === 'POST' && pathParameters(operation).length === 1;

/** The first word that an operation does not take; if it takes one id, it takes several. */
export function wordTooMany(operation: Operation, words: readonly string[]): string | undefined {
  const ids = operation.path.split('{').length - 1;
  const takesText =
    operation.positionalBody !== undefined || Object.values(operation.query ?? {}).some(({ positional }) => positional);
  return ids === 1 ? undefined : words[ids + (ids === 0 && takesText ? 1 : 0)];
}

/** Whether `--latest` may mean a person's newest item. */
export const takesLatest = ({ preview, latest }: Operation): boolean => preview?.refund === true || latest === true;

/** Whether a product may name one part of an order. */
export const takesItem = ({ item, assumed }: Family, operation: Operation): boolean =>
  operation.preview?.refund === true && item?.product !== undefined && (item.sales ?? assumed?.sales) !== undefined;

/** Typed options of an operation, by the parser's camel-case name, including filters and fields. */
export interface OperationOptions extends WriteOptions {
  readonly [option: string]: unknown;
  readonly limit?: string;
  readonly all?: boolean;
  readonly with?: readonly string[];
  readonly body?: string;
  readonly data?: readonly string[];
  readonly skeleton?: boolean;
  readonly schema?: boolean;
  readonly validate?: boolean;
  readonly editor?: boolean;
  readonly latest?: boolean;
  readonly item?: string;
  readonly wait?: boolean;
  readonly waitLimit?: string;
  readonly concurrency?: string;
  readonly maxFailures?: string;
  readonly expect?: string;
  readonly journal?: string;
}

/** What was typed for an operation, before anything is read from or checked with the service. */
export interface OperationInput extends FamilyOperation {
  /** Positional words: ids in path order, then the term or text if the operation takes one. */
  readonly words: readonly string[];
  readonly options: OperationOptions;
  /** Filter values by query parameter. */
  readonly filters: FilterValues;
  /** Typed body options by field. */
  readonly typed: Readonly<Record<string, string | boolean>>;
  /** The share, such as `50%`, if one was typed instead of an amount. */
  readonly share?: string;
}

/** Sorts what was typed for an operation into words, options, filters and fields. */
export function operationInput(
  family: Family,
  operation: Operation,
  { words, options }: { readonly words: readonly string[]; readonly options: object },
): OperationInput {
  const given = options as OperationOptions;
  const fields = operation.method === 'POST' ? typedOptions(operation) : [];
  const typed = fields.map(({ flag, field }) => [field, given[camel(flag)]] as const);
  return {
    family,
    operation,
    words,
    options: given,
    filters: filterValues(operation, given),
    typed: Object.fromEntries(typed.filter((entry): entry is [string, string | boolean] => entry[1] !== undefined)),
  };
}

/** The filters among the typed options, by query parameter. */
export function filterValues(operation: Operation, options: Readonly<Record<string, unknown>>): FilterValues {
  const given = filterOptions(operation).map(({ option, name }) => [name, options[camel(option)]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as FilterValues;
}

/** The filters of a list by owner: a name next to them means the owner. */
const OF_WHOM: ReadonlySet<string> = new Set(['customer', 'email']);

/** The options of an action on one item of a person that say which one is meant: filters of the family's list. */
export function narrowingFilters(family: Family, operation: Operation): MadeFilter[] {
  const list = family.operations.find(({ action }) => action === 'list');
  const isPersons = family.name !== 'customers' && family.item?.customer?.fields?.email !== undefined;
  if (!list || !isPersons || operation.list || pathParameters(operation).length !== 1) return [];
  // An edit with a state asks to set it, which no edit can do: it gets a separate answer.
  const isEdit = operation.action === 'edit';
  return madeFilters(family, list, []).filter(
    ({ option }) =>
      !OF_WHOM.has(option) &&
      !(isEdit && option === 'status') &&
      !Object.hasOwn(operation.body?.fields ?? {}, option) &&
      !Object.hasOwn(operation.query ?? {}, option),
  );
}

/** These filters as options; help shows only the one that people usually need. */
const narrowingSpecs = (family: Family, operation: Operation): OptionSpec[] =>
  narrowingFilters(family, operation).map(({ option, enum: values }) => ({
    flags: `--${option} <value>`,
    about: `which one is meant where a person has several${values ? `: ${values.join(', ')}` : ''}`,
    values,
    isHidden: option !== 'product',
  }));

/** What was typed to say which item of a person is meant. */
export const narrowedBy = ({
  family,
  operation,
  options,
}: FamilyOperation & { readonly options: object }): Narrowing[] =>
  narrowingFilters(family, operation).flatMap((filter): Narrowing[] => {
    const value = Reflect.get(options, camel(filter.option));
    return typeof value === 'string' ? [{ ...filter, value }] : [];
  });

/** The name under which the parser keeps an option: `trialDays` of `trial-days`. */
export const camel = (flag: string): string =>
  flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The suggested line for an action that takes no ids but was given words; undefined if none is known. */
async function meantLine({ family, operation, words }: OperationInput): Promise<Text | undefined> {
  const { lineMeant } = await import('../../catalogue/synonyms.js');
  const line = lineMeant(family.name, operation.action, words)?.line;
  const word = (text: string): string => text.replace(/\{(\d)\}/g, (_all, at) => words[Number(at)] ?? '');
  return line && say`Did you mean "${copsLine(line.map(word))}"?`;
}

/** `invoices list jane@example.com` becomes the list of that customer, if the list takes a customer. */
function ofWhom({ family, operation, words }: OperationInput, who: string): Text | undefined {
  const isOfOne =
    ownFilters(family, operation).some(({ option }) => option === 'customer') || operation.query?.customer_id;
  return words.length === 1 && operation.list && isOfOne
    ? say`Did you mean "${cops`${family.name.replaceAll('_', '-')} ${operation.action.split(' ')} --customer ${who}`}"?`
    : undefined;
}

/** Splits the positional words of a line into ids (one set per request) and what follows them. */
export async function splitWords(
  context: Context,
  input: OperationInput,
): Promise<{ ids: readonly (readonly string[])[]; rest: readonly string[] }> {
  const { operation, words } = input;
  const names = pathParameters(operation);
  const takesText =
    operation.positionalBody !== undefined || Object.values(operation.query ?? {}).some((f) => f.positional);
  const shape = names.map((name) => `<${name}>`).join(' ');
  const usageLine = `cops ${context.command} ${shape}`.trim();
  if (names.length === 0) {
    if (takesText && words.length === 0 && !input.options.body && !input.options.data) {
      throw usage(
        `${context.command}: the ${wordName(operation)} is missing.`,
        say`For example: ${writtenLine(operation.example)}`,
      );
    }
    const tooMany = words[takesText ? 1 : 0];
    if (tooMany !== undefined) {
      const isFile = operation.body !== undefined && /\.(?:json|ya?ml)$/i.test(tooMany);
      const meant = isFile
        ? say`Did you mean "${cops`${context.command.split(' ')} --body ${`@${tooMany}`}`}"?`
        : await meantLine(input);
      throw usage(
        `${context.command}: "${tooMany}" is one argument too many.`,
        takesText ? 'Quote a text of several words.' : (meant ?? ofWhom(input, tooMany) ?? 'It takes no id.'),
      );
    }
    return { ids: [[]], rest: words };
  }
  if (names.length === 1) {
    const several = operation.list === undefined;
    const given: string[] = [];
    for (const word of words) given.push(...(word === '-' ? await typedIds(context) : [word]));
    if (words.length === 0) throw usage(`${context.command}: the ${names[0]} is missing.`, `${usageLine}`);
    if (given.length === 0) throw usage(`${context.command}: standard input holds no ids.`);
    if (!several && given.length > 1) throw usage(`${context.command}: takes one ${names[0]}.`);
    return { ids: given.map((id) => [id]), rest: [] };
  }
  if (words.length !== names.length)
    throw usage(`${context.command} needs ${names.length} ids, not ${words.length}.`, usageLine);
  return { ids: [words], rest: [] };
}

/** The name of the word after an action without ids: `term`, `sql`, `code`. */
function wordName(operation: Operation): string {
  const asked = Object.entries(operation.query ?? {}).find(([, field]) => field.positional)?.[0];
  return operation.positionalBody ?? (asked === undefined || asked === 'search_term' ? 'term' : asked);
}

/** The ids on standard input, one per line. */
async function typedIds({ world }: Context): Promise<readonly string[]> {
  const [{ idLines, inputOf }, { readText }] = await Promise.all([
    import('../write/body-input.js'),
    import('../../service/body/gather.js'),
  ]);
  return idLines(await readText(inputOf(world), '-'));
}
