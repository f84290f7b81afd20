import { Dice } from '../../sandbox/random-life.js';
import type { Json } from '../../sandbox/world.js';

/* Bodies out of the schemas of openapi.json: such as it takes, and such that are one step from it. */

/** Finds the id of an item that a name speaks of; undefined where there is none. */
export type IdFor = (name: string) => string | undefined;

/** A body that is wrong at one place; the refusal must name it. */
export interface Wrong {
  readonly body: Json;
  readonly place: string;
}

type Place = readonly (string | number)[];

const TEXTS = ['word', 'Ein Wort', 'x', '0', 'a,b', '"', '<b>ß</b>', '😀', 'null', '{{customer.email}}'];
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  email: ['ann@example.com', 'bo.b@example.org'],
  'date-time': ['2026-01-31T10:00:00Z', '2030-12-31T23:59:59+02:00'],
  uri: ['https://example.com/a.png', 'http://example.com'],
  ipv4: ['203.0.113.7'],
  timezone: ['UTC', 'Europe/Berlin'],
  cron: ['0 6 * * *', '*/5 0 1 1 *'],
  country: ['USA', 'DEU'],
  currency: ['USD', 'EUR'],
};
const CARDS = ['4111111111111111', '4000000000000002', '4000000000000341', '5555555555554444'];

export class Bodies {
  readonly #dice: Dice;
  readonly #idFor: IdFor;

  constructor(seed: number, idFor: IdFor) {
    this.#dice = new Dice(seed);
    this.#idFor = idFor;
  }

  /** A body that a schema takes: few of its fields, or most. */
  fitting(schema: Json): Json {
    return this.#value(schema, '', [0, 0.2, 0.5, 0.9][this.#dice.below(4)] as number);
  }

  /** The same with one place changed to what its schema does not take; undefined where any value is taken. */
  wrong(schema: Json, fitting: Json): Wrong | undefined {
    const body = structuredClone(fitting);
    const steps = [...stepsFrom(schema, body, [])];
    if (steps.length === 0) return undefined;
    const { change, place } = this.#dice.pick(steps);
    change();
    return { body, place };
  }

  #value(schema: Json, name: string, share: number): Json {
    if (schema.anyOf) return this.#value(this.#dice.pick(schema.anyOf), name, share);
    const types = [schema.type].flat();
    if (types.includes('null') && this.#dice.below(6) === 0) return null;
    if (schema.enum) return this.#dice.pick(schema.enum.filter((one: Json) => one !== null));
    switch (types[0]) {
      case 'object':
        return this.#object(schema, share);
      case 'array': {
        const { minItems = 0, maxItems = 3, items = {} } = schema;
        const length = Math.max(minItems, this.#dice.below(Math.min(maxItems, 2) + 1));
        return Array.from({ length }, () => this.#value(items, name, share));
      }
      case 'boolean':
        return this.#dice.below(2) === 0;
      case 'integer':
      case 'number':
        return this.#number(schema, types[0] === 'integer');
      case 'string':
        return this.#text(schema, name);
      default:
        return this.#dice.pick<Json>(['word', 5, true, null, {}, [], [null], { name: 'a' }]);
    }
  }

  #object({ properties = {}, required = [] }: Json, share: number): Json {
    const chosen = Object.entries<Json>(properties).filter(
      ([name]) => required.includes(name) || (name !== 'idempotency_key' && this.#dice.next() < share),
    );
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.#value(schema, name || '', share)]));
  }

  #number({ minimum, maximum }: Json, isWhole: boolean): number {
    const low = minimum ?? -3;
    const high = maximum ?? 10_000;
    const some = [low, Math.min(high, low + 1), high, 1, 2, 10, isWhole ? 25 : 24.9].filter(
      (n) => n >= low && n <= high,
    );
    return this.#dice.pick(some);
  }

  #text(schema: Json, name: string): string {
    const { format, pattern, minLength = 0, maxLength } = schema;
    if (name === 'card_number') return this.#dice.pick(CARDS);
    const isId = maxLength === 20;
    if (isId || name === 'campaign' || /_id$/.test(name)) {
      const id = this.#idFor(name);
      if (id !== undefined && this.#dice.below(20) > 0) return id;
      if (isId) return minLength === 0 ? '' : 'A'.repeat(20);
    }
    const known = FORMATS[format];
    if (known) return this.#dice.pick(known);
    if (pattern === '^[0-9]+$') return '123'.padEnd(minLength, '4');
    if (pattern === '^[A-Za-z0-9]*$') return 'Code1';
    const text = this.#dice.pick(TEXTS).padEnd(minLength, 'x');
    return text.slice(0, maxLength ?? 200);
  }
}

interface Step {
  readonly place: string;
  change(): void;
}

/** Every change of one value that takes a body out of its schema. */
function* stepsFrom(schema: Json, body: Json, place: Place): Generator<Step> {
  if (schema.anyOf || typeof body !== 'object' || body === null) return;
  const member = Array.isArray(body) ? () => schema.items ?? {} : (name: string) => schema.properties?.[name] ?? {};
  for (const [key, content] of Object.entries(body)) {
    if (key === 'idempotency_key') continue;
    const inner = member(key);
    const at = [...place, Array.isArray(body) ? Number(key) : key];
    for (const value of wrongValues(inner)) yield { place: textOf(at), change: () => put(body, key, value) };
    yield* stepsFrom(inner, content, at);
  }
  if (Array.isArray(body)) return;
  for (const name of schema.required ?? []) yield { place: textOf([...place, name]), change: () => delete body[name] };
  if (schema.additionalProperties === false)
    yield { place: textOf([...place, 'strange']), change: () => put(body, 'strange', 1) };
}

function put(holder: Json, key: string, value: Json): void {
  holder[key] = value;
}

/** Values that a schema does not take. */
function wrongValues(schema: Json): Json[] {
  if (schema.anyOf) return [5, true, {}];
  const types = [schema.type].flat();
  const nothing = types.includes('null') || types[0] === undefined ? [] : [null];
  switch (types[0]) {
    case 'string':
      return [...nothing, 5, true, [null], {}, ...wrongTexts(schema)];
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema;
      const beyond = [minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : maximum + 1].flat();
      return [...nothing, '5', true, [], {}, ...(types[0] === 'integer' ? [1.5] : []), ...beyond];
    }
    case 'boolean':
      return [...nothing, 'yes', 1, []];
    case 'array':
      return [...nothing, 'x', 5, {}, ...((schema.minItems ?? 0) > 0 ? [[]] : [])];
    case 'object':
      return [...nothing, 'x', 5, [], [null]];
    default:
      return [];
  }
}

function wrongTexts({ enum: allowed, format, pattern, minLength = 0, maxLength }: Json): string[] {
  if (allowed) return ['no such word'];
  return [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minLength > 1 ? ['x'.repeat(minLength - 1)] : minLength === 1 ? [''] : []),
    ...(format || pattern ? ['! no ?'] : []),
  ];
}

/** `rates[0].provider`, as refusals name places. */
function textOf(place: Place): string {
  return place.map((part, index) => (typeof part === 'number' ? `[${part}]` : index > 0 ? `.${part}` : part)).join('');
}
