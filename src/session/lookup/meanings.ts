import { EXIT_MEANINGS, kindsOf, sentence } from '../../base/errors/errors.js';
import {
  EVENT_FILTERS,
  EVENTS,
  eventType,
  FUNCTION_EVENT_FILTERS,
  FUNCTION_ONLY_EVENTS,
} from '../../catalogue/event-types.js';
import { FAMILY_INDEX, familyByCommand, findOperation, loadFamily } from '../../catalogue/index.js';
import * as terms from '../../catalogue/terms.js';
import type { Field } from '../../catalogue/types.js';
import { describeFields } from '../../items/checks/describe-fault.js';

/** One thing that a word means. */
export interface WordMeaning {
  /** `error code`, `exit code`, `HTTP status`, `body code`, `event`, `state`, `field`, ... */
  readonly kind: string;
  readonly name: string;
  readonly meaning: string;
  /** Where it belongs or what to do next. */
  readonly more?: string;
}

/** Fields with the same meaning everywhere (service.md#envelopes, service.md#payments, service.md#lists, service.md#errors). */
const COMMON_FIELDS: Readonly<Record<string, string>> = {
  api_call_id: 'Identifier of the call itself, on every answer: cops api-calls get <api_call_id> looks it up.',
  api_call_unix: 'When the call began, unix seconds.',
  code: 'Marker of an answer: 1 is success; see cops reference body-codes.',
  error_code: 'Names the condition of an error; see cops reference error-codes.',
  current_count: 'Items on this page of a list.',
  current_page: 'Number of this page of a list.',
  total_count: 'Items of the whole list within its range; cops compares it with the unique ids it read.',
  total_pages: 'Pages of the whole list within its range.',
  results: 'The items of one page of a list.',
  live_mode: 'True if the item was created with a live key; cops uses it to prove the mode of a key.',
  created_date_unix: 'When the item was created, unix seconds.',
  updated_date_unix: 'When the item was last changed, unix seconds.',
  amount_total: 'amount_original_total less what was refunded and discounted.',
  amount_original_total: 'The amount before refunds and discounts.',
  amount_gross: 'Payments less refunded payments.',
  amount_net: 'amount_gross less amount_fees.',
  amount_fees: 'amount_gross times the fee percentage of the processor.',
  amount_remaining: 'Still to be salvaged, or awaiting the end of trials.',
  amount_refunded: 'The amount already refunded.',
  idempotency_key: 'Names one intention: a repeated key is refused for 24 hours (E0583). 10 to 255 characters.',
  date_start: 'Start of a list, unix seconds: --from on the command line.',
  date_end: 'End of a list, unix seconds: --to on the command line.',
  limit: 'Items on a page, 1 to 25: --page-size on the command line.',
  page: 'Number of a page: --page on the command line.',
  metadata: 'Pairs of name (1 to 100 characters) and value (1 to 255 characters).',
};

/** Everything that a word means: error, exit and body codes, events, states, families, fields. */
export async function meaningsOf(word: string): Promise<WordMeaning[]> {
  const text = word.trim();
  const found = [...fixedTerms(text), ...families(text), ...(await actions(text)), ...(await fields(text))];
  return found.length > 0 ? found : everyday(text.toLowerCase());
}

/** Trade terms for what has another name here, or does not exist. */
async function everyday(text: string): Promise<WordMeaning[]> {
  const { synonymOf, TRADE_TERMS } = await import('../../catalogue/synonyms.js');
  const own = TRADE_TERMS.filter(({ words }) => words.includes(text)).map(({ meaning, more }) => ({
    kind: 'word',
    name: text,
    meaning,
    more: String(more),
  }));
  const limits = terms.LIMIT_TEXTS.filter(([what]) => [what.toLowerCase(), `${what.toLowerCase()}s`].includes(text));
  const synonym = synonymOf('command', text);
  const means = synonym?.means === undefined ? undefined : `Here it is called ${synonym.means}.`;
  const said = synonym?.says === undefined ? undefined : String(synonym.says);
  return [
    ...own,
    ...limits.map(([name, meaning]) => ({ kind: 'limit', name, meaning: `${meaning}.` })),
    ...(own.length === 0 && (means ?? said)
      ? [{ kind: 'word', name: text, meaning: means ?? said ?? '', ...(means && said && { more: said }) }]
      : []),
  ];
}

/** The most families listed for an action: one that nearly all have needs no explanation. */
const MOST_FAMILIES = 8;

/** What an action does in each family that has it, and what to know about it. */
async function actions(text: string): Promise<WordMeaning[]> {
  const word = text.toLowerCase().replaceAll('_', '-');
  const having = FAMILY_INDEX.filter(({ actions }) => actions.some(({ action }) => action === word));
  if (having.length > MOST_FAMILIES) return [];
  return Promise.all(
    having.map(async ({ name, command }) => {
      const operation = findOperation(await loadFamily(name), word);
      const more = (operation?.rules ?? []).join(' ').replaceAll('`', '');
      return { kind: 'action', name: `${command} ${word}`, meaning: `${operation?.summary}.`, more };
    }),
  );
}

function fixedTerms(text: string): WordMeaning[] {
  const lower = text.toLowerCase();
  const found: WordMeaning[] = [];
  for (const { code, meaning, hint } of terms.ERROR_CODES)
    if (sameCode(code, text)) found.push({ kind: 'error code', name: code, meaning, more: hint });
  for (const { exit, meaning, next } of EXIT_MEANINGS)
    if (String(exit) === text || kindsOf(exit).includes(lower.replaceAll('-', '_')))
      found.push({ kind: 'exit code', name: String(exit), meaning: sentence(meaning), more: next });
  for (const { status, meaning } of terms.HTTP_STATUSES)
    if (String(status) === text) found.push({ kind: 'HTTP status', name: text, meaning, more: exitOf(status) });
  for (const { code, meaning, statuses } of terms.BODY_CODES)
    if (String(code) === text)
      found.push({ kind: 'body code', name: text, meaning, more: `With HTTP status ${statuses.join(' or ')}.` });
  found.push(...events(lower), ...namedValues(text));
  return found;
}

function events(lower: string): WordMeaning[] {
  const onlyFunctions: readonly string[] = FUNCTION_ONLY_EVENTS;
  const forFunctions = `Functions filter by ${FUNCTION_EVENT_FILTERS.join(', ')} only.`;
  const filters = (type: string): string => {
    const known = EVENT_FILTERS[type];
    return known ? `Filters of assistants: ${known.join(', ')}. ${forFunctions}` : forFunctions;
  };
  if (EVENTS.includes(lower)) {
    const users = onlyFunctions.includes(lower) ? 'known to functions only' : 'for functions and AI assistants';
    return [{ kind: 'event', name: lower, meaning: `An account event, ${users}.`, more: filters(eventType(lower)) }];
  }
  const below = EVENTS.filter((event) => event.startsWith(`${lower}.`));
  if (lower === '' || below.length === 0) return [];
  const meaning = `The events ${below.slice(0, 5).join(', ')}${below.length > 5 ? ` and ${below.length - 5} more` : ''}.`;
  return [{ kind: 'event type', name: lower, meaning, more: filters(eventType(lower)) }];
}

function namedValues(text: string): WordMeaning[] {
  const lower = text.toLowerCase();
  const found: WordMeaning[] = [];
  for (const [resource, names] of Object.entries(terms.STATES)) {
    for (const state of names) {
      if (state.toLowerCase() !== lower) continue;
      const others = names.filter((name) => name !== state).join(', ');
      const meaning = `A state of a ${spoken(resource)}.`;
      found.push({ kind: 'state', name: state, meaning, more: `Others: ${others}.` });
    }
  }
  for (const [outcome, details] of Object.entries(terms.SALE_OUTCOMES))
    if (details.some((detail) => detail === lower))
      found.push({ kind: 'state', name: lower, meaning: `What a sale with outcome ${outcome} may be.` });
  for (const type of terms.PAYMENT_TYPES) {
    if ([type.name.toLowerCase(), type.id.toLowerCase(), type.filter].includes(lower)) {
      const more = `Filters take ${type.filter}.`;
      found.push({ kind: 'payment type', name: type.name, meaning: `Id ${type.id}.`, more });
    }
  }
  for (const [resource, permissions] of Object.entries(terms.PERMISSIONS)) {
    const own = permissions.find((permission) =>
      [`${resource}:${permission}`, `${resource}.${permission}`].includes(lower),
    );
    if (own) {
      const meaning = `Lets a restricted key ${spoken(own)} ${spoken(resource)}.`;
      found.push({ kind: 'permission', name: `${resource}:${own}`, meaning });
    } else if (resource === lower)
      found.push({ kind: 'permission', name: resource, meaning: `Of restricted keys: ${permissions.join(', ')}.` });
  }
  if (terms.PRODUCT_TYPES.some((type) => type === lower)) {
    const others = terms.PRODUCT_TYPES.filter((type) => type !== lower).join(', ');
    found.push({ kind: 'product type', name: lower, meaning: `Others: ${others}.` });
  }
  return found;
}

function families(text: string): WordMeaning[] {
  const entry = familyByCommand(text.toLowerCase());
  if (!entry) return [];
  const actions = entry.actions.map((action) => action.action).join(', ');
  return [{ kind: 'family', name: entry.command, meaning: entry.summary, more: `Actions: ${actions}.` }];
}

/** Every place where a field of this name is known; equal explanations appear once. */
async function fields(text: string): Promise<WordMeaning[]> {
  const lower = text.toLowerCase().replaceAll('-', '_');
  const places = new Map<string, string[]>();
  const tell = (meaning: string, place: string): void => {
    places.set(meaning, [...(places.get(meaning) ?? []), place]);
  };
  const found: WordMeaning[] = [];
  const common = Object.hasOwn(COMMON_FIELDS, lower) ? COMMON_FIELDS[lower] : undefined;
  if (common !== undefined) found.push({ kind: 'field', name: lower, meaning: common });
  for (const entry of FAMILY_INDEX) {
    const family = await loadFamily(entry.name);
    for (const [name, field] of Object.entries(family.item ?? {}))
      if (name === lower && common === undefined) tell(itemField(field), `${entry.command} items`);
    for (const operation of family.operations) {
      for (const row of operation.body ? describeFields(operation) : []) {
        if (row.path !== lower && (row.path.replaceAll('[]', '').split('.').at(-1) ?? row.path) !== lower) continue;
        const facts = [row.type, row.required ? 'required' : '', row.limits, row.values.join(' | '), row.note];
        tell(facts.filter((fact) => fact !== '').join('; '), `${entry.command} ${operation.action} (${row.path})`);
      }
      for (const [name, field] of Object.entries(operation.query ?? {})) {
        if (name !== lower && name !== `${lower}_filter`) continue;
        const facts = [field.many ? 'repeated for several values' : 'one value', field.enum?.join(' | '), field.note];
        const option = name.replace(/_filter$/, '').replaceAll('_', '-');
        tell(`Filter --${option}: ${facts.filter(Boolean).join('; ')}`, `${entry.command} ${operation.action}`);
      }
    }
  }
  for (const [meaning, where] of places) {
    const more = where.length > 6 ? ` and ${where.length - 6} more` : '';
    found.push({ kind: 'field', name: lower, meaning, more: `${where.slice(0, 6).join(', ')}${more}` });
  }
  return found;
}

function itemField(field: Field): string {
  const facts = [field.format ?? field.type, field.enum?.join(' | '), field.note];
  return facts.filter((fact) => fact !== undefined && fact !== '').join('; ');
}

/** Every word that `meaningsOf` knows, for hints. */
export async function vocabulary(): Promise<string[]> {
  const names = new Set<string>([
    ...terms.ERROR_CODES.map((entry) => entry.code.toLowerCase()),
    ...EVENTS,
    ...Object.values(terms.STATES).flatMap((states) => states.map((state) => state.toLowerCase())),
    ...FAMILY_INDEX.map((entry) => entry.command),
    ...Object.keys(COMMON_FIELDS),
  ]);
  for (const entry of FAMILY_INDEX) {
    const family = await loadFamily(entry.name);
    for (const name of Object.keys(family.item ?? {})) names.add(name);
    for (const operation of family.operations)
      for (const name of Object.keys(operation.body?.fields ?? {})) names.add(name);
  }
  return [...names];
}

/** `E0583`, `e0583`, `583` with the letter in front: leading zeros can be left out. */
function sameCode(code: string, text: string): boolean {
  const digits = /^e0*(\d{1,4})$/i.exec(text)?.[1];
  return digits !== undefined && Number(code.slice(1)) === Number(digits);
}

function exitOf(status: number): string {
  const exits: Readonly<Record<number, string>> = {
    200: '0',
    400: '1 (9 for a write whose earlier answer was lost, or E0583)',
    401: '3',
    402: '5, or 6 for fraud',
    404: '4',
    405: '1',
    429: '7, after all retries',
    500: '1 for reads, 9 for writes',
  };
  return exits[status] === undefined ? '' : `Exit code ${exits[status]}.`;
}

const spoken = (name: string): string => name.replaceAll('_', ' ');
