import { shownName } from '../../../account/profiles/setting-checks.js';
import { SETTINGS, type Setting } from '../../../account/profiles/settings.js';
import { EXIT_MEANINGS, kindsOf, sentence, usage } from '../../../base/errors/errors.js';
import { nearest } from '../../../base/errors/nearest.js';
import { cops, say } from '../../../base/text/command-line.js';
import { EVENT_FILTERS, EVENTS, eventType, FUNCTION_ONLY_EVENTS } from '../../../catalogue/event-types.js';
import * as terms from '../../../catalogue/terms.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { listOf } from '../../../session/context/run.js';
import { REFERENCE_TOPICS, type ReferenceTopicName } from '../../help/reference-topics.js';

type Row = Readonly<Record<string, unknown>>;

/** One topic: rows of terms fixed by the service. */
interface ReferenceTopic {
  readonly columns: readonly string[];
  /** Field that names a row, if that is not the first column. */
  readonly idField?: string;
  rows(): readonly Row[] | Promise<readonly Row[]>;
}

function events(): Row[] {
  const onlyFunctions: readonly string[] = FUNCTION_ONLY_EVENTS;
  return EVENTS.map((event) => ({
    event,
    filters: EVENT_FILTERS[eventType(event)] ?? [],
    for: onlyFunctions.includes(event) ? 'functions only' : 'functions, AI assistants',
  }));
}

function states(): Row[] {
  const outcomes = Object.entries(terms.SALE_OUTCOMES).flatMap(([outcome, details]) =>
    details.map((detail) => ({ resource: 'sale', state: `${outcome}.${detail}` })),
  );
  const plain = Object.entries(terms.STATES).flatMap(([resource, names]) =>
    names.map((state) => ({ resource, state })),
  );
  return [...plain, ...outcomes];
}

function settingRow(setting: Setting): Row {
  const { name, about, holds, default: usual, option, onLine, variable } = setting;
  return {
    setting: shownName(setting),
    holds: typeof holds === 'string' ? holds : holds.join(', '),
    default: usual ?? null,
    option: option?.replace(/ .*/, '') ?? (onLine ? `--${name.replaceAll('_', '-')}` : null),
    variable: variable ?? null,
    about,
  };
}

async function sandbox(): Promise<Row[]> {
  const [{ READINGS }, { TRANSITIONS }, { TEST_CARDS }] = await Promise.all([
    import('../../../sandbox/rules/readings.js'),
    import('../../../sandbox/rules/transitions.js'),
    import('../../../catalogue/terms.js'),
  ]);
  const sources = { spec: 'the service', published: 'the service', ours: 'our own reading' } as const;
  return [
    ...TEST_CARDS.map((card) => ({
      what: 'test card',
      from: card.number,
      by: 'payment',
      to: card.says,
      known_from: 'our own reading',
      note: '',
    })),
    ...TRANSITIONS.map((change) => ({
      what: change.resource,
      from: change.from.join(', '),
      by: change.by,
      to: change.to,
      known_from: sources[change.source],
      note: change.note ?? '',
    })),
    ...READINGS.map((reading) => ({
      what: reading.about,
      from: '',
      by: reading.id,
      to: '',
      known_from: 'our own reading',
      note: reading.says,
    })),
  ];
}

const ROWS: Readonly<Record<Exclude<ReferenceTopicName, 'relations'>, ReferenceTopic>> = {
  events: { columns: ['event', 'filters', 'for'], rows: events },
  'payment-types': { columns: ['name', 'id', 'filter'], idField: 'id', rows: () => terms.PAYMENT_TYPES },
  'error-codes': { columns: ['code', 'meaning', 'hint'], rows: () => terms.ERROR_CODES },
  statuses: { columns: ['status', 'meaning'], rows: () => terms.HTTP_STATUSES },
  'body-codes': { columns: ['code', 'statuses', 'meaning'], rows: () => terms.BODY_CODES },
  'exit-codes': {
    columns: ['exit', 'meaning', 'next'],
    rows: () =>
      EXIT_MEANINGS.map(({ exit, meaning, next }) => ({
        exit,
        meaning: sentence(meaning),
        next,
        kinds: kindsOf(exit),
      })),
  },
  settings: { columns: ['setting', 'default', 'option', 'variable', 'about'], rows: () => SETTINGS.map(settingRow) },
  states: { columns: ['resource', 'state'], idField: 'state', rows: states },
  'product-types': { columns: ['type'], rows: () => terms.PRODUCT_TYPES.map((type) => ({ type })) },
  limits: { columns: ['what', 'limit'], rows: () => terms.LIMIT_TEXTS.map(([what, limit]) => ({ what, limit })) },
  permissions: {
    columns: ['resource', 'permissions'],
    rows: () => Object.entries(terms.PERMISSIONS).map(([resource, permissions]) => ({ resource, permissions })),
  },
  addresses: { columns: ['address'], rows: () => terms.SERVICE_ADDRESSES.map((address) => ({ address })) },
  sandbox: { columns: ['what', 'from', 'by', 'to', 'known_from', 'note'], rows: sandbox },
};

/** Other words for a topic. */
const ALIASES: Readonly<Record<string, string>> = {
  event: 'events',
  filters: 'events',
  errors: 'error-codes',
  'http-statuses': 'statuses',
  http: 'statuses',
  codes: 'body-codes',
  payments: 'payment-types',
  ips: 'addresses',
  'allow-list': 'addresses',
  environment: 'settings',
  cards: 'sandbox',
  transitions: 'sandbox',
};

/** `cops reference relations [family]`, which `-o dot` can also draw. */
async function relations(family: string | undefined, isDrawn: boolean): Promise<Done> {
  const [{ relationRows, relationsAsDot }, { familyOfWord }] = await Promise.all([
    import('./relation-rows.js'),
    import('../../../session/context/typed-words.js'),
  ]);
  const rows = await relationRows(family === undefined ? undefined : (await familyOfWord(family)).name);
  if (isDrawn) return { result: { shape: 'text', text: relationsAsDot(rows) } };
  const columns = ['relation', 'to', 'many', 'known_from', 'found_by', 'filter'];
  return { result: listOf(rows, family === undefined ? ['family', ...columns] : columns, 'relation') };
}

/**
 * `cops reference [topic]`; without a topic, the list of topics.
 * @throws CopsError `usage` for an unknown topic, and for a family or a drawing if the topic has none
 */
export async function reference(name: string | undefined, family?: string, isDrawn = false): Promise<Done> {
  const word = name?.toLowerCase().replaceAll('_', '-');
  if (word === 'relations' || word === 'relation') return relations(family, isDrawn);
  if (family !== undefined) throw usage(`cops reference ${name} takes no more arguments.`);
  if (isDrawn) throw usage('-o dot draws only relations: cops reference relations -o dot');
  if (name === undefined || word === undefined) {
    const topics = Object.entries(REFERENCE_TOPICS).map(([topic, summary]) => ({ topic, summary }));
    return { result: listOf(topics, ['topic', 'summary']) };
  }
  const wanted = Object.hasOwn(ALIASES, word) ? ALIASES[word] : word;
  const topic = Object.hasOwn(ROWS, wanted ?? '') ? ROWS[wanted as keyof typeof ROWS] : undefined;
  if (!topic) {
    const names = Object.keys(REFERENCE_TOPICS);
    const [near] = nearest(word, [...names, ...Object.keys(ALIASES)]);
    throw usage(
      `There is no reference topic "${name}".`,
      near ? say`Did you mean "${cops`reference ${near}`}"?` : `Topics: ${names.join(', ')}.`,
    );
  }
  return { result: listOf(await topic.rows(), topic.columns, topic.idField) };
}

export const run = ({ options }: Context, { words: [topic, family] }: CommandInput): Promise<Done> =>
  reference(topic, family, options.output?.toLowerCase() === 'dot');
