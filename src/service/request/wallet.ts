import { orElse } from '../../base/errors/errors.js';
import type { ServiceRequest } from '../../base/transport.js';
import { WALLET_IDENTIFIERS } from '../../catalogue/terms.js';

/**
 * The word that a service uses where the catalogue says `wallet` (profile setting `wallet_word`). Replaced only in
 * identifiers: those listed in the spec's first paragraph, and the id fields derived from the same names
 * (service.md#envelopes: `<resource>_id`). What counts as an identifier depends on its place, never on its text, so an
 * e-mail address, a name or a message that contains the word stays unchanged.
 */
const NEUTRAL = 'wallet';

const { families: FAMILIES, filters: FILTERS, events: EVENTS, paymentTypes: PAYMENT_TYPES } = WALLET_IDENTIFIERS;

/** JSON field names: the listed ones, and those that the same rule derives from the three families. */
const FIELDS = [
  ...FILTERS,
  ...FAMILIES,
  ...WALLET_IDENTIFIERS.fields,
  'wallet_account_id',
  'wallet_transaction_id',
  'wallet_dispute_id',
  'wallet_dispute_amount',
  'wallet_dispute_created_date_unix',
] as const;

/** Kinds of items named by fields such as `form_source`. */
const KINDS = ['wallet_account', 'wallet_transaction', 'wallet_dispute'] as const;

/** Fields whose value (or list elements) is an identifier, with the values to replace there. */
const VALUE_PLACES: Readonly<Record<string, readonly string[]>> = {
  notation: EVENTS,
  notations: EVENTS,
  account_event_notation: EVENTS,
  account_event_notations: EVENTS,
  event: EVENTS,
  event_name: EVENTS,
  event_notation: EVENTS,
  payment_type: PAYMENT_TYPES,
  payment_type_filter: PAYMENT_TYPES,
  form_source: KINDS,
  item_type: KINDS,
  entity_type: KINDS,
};

/** Objects in a foreign format, which contain no identifiers of the service. */
const FOREIGN: ReadonlySet<string> = new Set(
  `gateway_raw_response fraud_detection_response metadata custom_arguments custom_data environment_variables`.split(
    /\s+/,
  ),
);

/** The request in the service's words. Edits the body's text, so that digits stay as they are. */
export function toService(request: ServiceRequest, word: string): ServiceRequest {
  if (word === NEUTRAL) return request;
  const swap = new Swap((name) => spell(name, word), undefined);
  return {
    method: request.method,
    path: swapPath(request.path, swap),
    query: request.query.map(([name, value]) => swap.parameter(name, value)),
    body: request.body === undefined ? undefined : swap.json(request.body),
  };
}

/** The service's JSON in the catalogue's words; everything except the listed identifiers stays byte for byte. */
export function fromService(rawText: string, word: string): string {
  if (word === NEUTRAL || !rawText.includes(word)) return rawText;
  return new Swap((name) => name, word).json(rawText);
}

/** A path from the service in the catalogue's words. */
export function pathFromService(path: string, word: string): string {
  return word === NEUTRAL ? path : swapPath(path, new Swap((name) => name, word));
}

function spell(name: string, word: string): string {
  return `${word}${name.slice(NEUTRAL.length)}`;
}

function swapPath(path: string, swap: Swap): string {
  const [, family = '', rest = ''] = /^\/([^/?]*)(.*)$/s.exec(path) ?? [];
  return path.startsWith('/') ? `/${swap.family(family)}${rest}` : path;
}

/** One direction of the replacement, with a table of all listed identifiers built once. */
class Swap {
  readonly #families: ReadonlyMap<string, string>;
  readonly #fields: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, ReadonlyMap<string, string>>;

  /** With `word` undefined, neutral names become `target(name)`; otherwise the word's names become neutral. */
  constructor(target: (name: string) => string, word: string | undefined) {
    const table = (names: readonly string[]): ReadonlyMap<string, string> =>
      new Map(names.map((name) => [word === undefined ? name : spell(name, word), target(name)]));
    this.#families = table(FAMILIES);
    this.#fields = table(FIELDS);
    this.#values = new Map(Object.entries(VALUE_PLACES).map(([field, names]) => [field, table(names)]));
  }

  family(name: string): string {
    return this.#families.get(name) ?? name;
  }

  parameter(name: string, value: string): [string, string] {
    return [this.#fields.get(name) ?? name, this.#values.get(name)?.get(value) ?? value];
  }

  /** Processes JSON text token by token. */
  json(text: string): string {
    const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\]:,]/g;
    const stack: Level[] = [];
    let out = '';
    let copied = 0;
    for (let found = token.exec(text); found; found = token.exec(text)) {
      const level = stack.at(-1);
      const mark = found[0];
      if (mark === '{' || mark === '[') stack.push(openLevel(mark, level));
      else if (mark === '}' || mark === ']') stack.pop();
      else if (mark === ':') {
        if (level) level.atName = false;
      } else if (mark === ',') {
        if (level) level.atName = level.object;
      } else if (level && !level.foreign) {
        const swapped = this.#string(mark, level);
        if (swapped !== undefined) {
          out += text.slice(copied, found.index) + JSON.stringify(swapped);
          copied = token.lastIndex;
        }
      }
    }
    return copied === 0 ? text : out + text.slice(copied);
  }

  /** The replacement for a string, or undefined; remembers the name that the next value belongs to. */
  #string(literal: string, level: Level): string | undefined {
    const value = decoded(literal);
    if (level.object && level.atName) {
      level.name = value;
      return this.#fields.get(value);
    }
    return this.#values.get(level.name)?.get(value);
  }
}

interface Level {
  readonly object: boolean;
  readonly foreign: boolean;
  atName: boolean;
  /** The field that a value at this level belongs to; list elements belong to the list's field. */
  name: string;
}

function openLevel(mark: '{' | '[', outer: Level | undefined): Level {
  const foreign = outer !== undefined && (outer.foreign || FOREIGN.has(outer.name));
  const object = mark === '{';
  return { object, foreign, atName: object, name: object ? '' : (outer?.name ?? '') };
}

function decoded(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  return orElse(() => JSON.parse(literal) as string, literal);
}
