import { CopsError } from '../../base/errors/errors.js';
import type { Field, FieldFormat, FieldType } from '../../catalogue/types.js';
import { unescaped } from '../http/base-url.js';

/** A parsed JSON value in a description. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

const DEEPEST = 10;
/** Many times the fields of any honest description. */
const MOST_FIELDS = 150_000;
const LONGEST_NOTE = 200;

export function isSchemaObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isSchemaObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An object member of an object; empty if missing or not an object. */
export function objectAt(value: Json | undefined, name: string): JsonObject {
  const found = memberOf(value, name);
  return isSchemaObject(found) ? found : {};
}

export function textMember(value: Json | undefined, name: string): string {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : '';
}

export function listAt(value: Json | undefined, name: string): Json[] {
  const found = memberOf(value, name);
  return Array.isArray(found) ? found : [];
}

/** Reads the schemas of one document: follows local references, cuts off cycles and depth. */
export class SchemaReader {
  readonly #flats = new Map<JsonObject, JsonObject>();
  #read = 0;

  constructor(
    private readonly document: JsonObject,
    /** A field's name in the catalogue's words. */
    private readonly neutral: (name: string) => string,
  ) {}

  /** The target of a local reference, else the value itself. */
  resolve(value: Json | undefined): JsonObject {
    const seen = new Set<string>();
    for (let at = value; isSchemaObject(at); ) {
      const reference = textMember(at, '$ref');
      if (reference === '') return at;
      if (!reference.startsWith('#/') || seen.has(reference)) return {};
      seen.add(reference);
      let found: Json | undefined = this.document;
      for (const part of reference.slice(2).split('/'))
        found = memberOf(found, unescaped(part).replaceAll('~1', '/').replaceAll('~0', '~'));
      at = found;
    }
    return {};
  }

  /** Converts a schema to a field of the catalogue. */
  field(value: Json | undefined, depth = 0): Field {
    // Schemas that refer to each other multiply when expanded, whatever the size of the document.
    this.#read += 1;
    if (this.#read > MOST_FIELDS) {
      const hint = 'Its schemas refer to each other in a cycle, or it has too many. Nothing was changed.';
      const what = `The description has more than ${MOST_FIELDS} fields when its references are followed.`;
      throw new CopsError('refused', what, { hint });
    }
    const schema = this.#flat(this.resolve(value));
    if (depth > DEEPEST) return { type: 'any' };
    const alternatives = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')];
    const real = alternatives.filter((one) => this.resolve(one).type !== 'null');
    if (real.length === 1 && schema.type === undefined) {
      const inner = this.field(real[0], depth + 1);
      return real.length < alternatives.length ? { ...inner, nullable: true } : inner;
    }
    const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => typeof type === 'string');
    const named = types.filter((type) => type !== 'null');
    const type = typeOf(named.length === 1 ? named[0] : undefined, schema);
    return {
      type,
      nullable: types.includes('null') || schema.nullable === true ? true : undefined,
      ...this.#scalar(schema, type),
      ...(type === 'object' ? this.#object(schema, depth) : {}),
      ...(type === 'array' && schema.items !== undefined ? { items: this.field(schema.items, depth + 1) } : {}),
      ...note(schema),
    };
  }

  /** Fields of an object schema, by their names in the catalogue's words. */
  fields(value: Json | undefined, depth = 0): Record<string, Field> {
    const schema = this.#flat(this.resolve(value));
    const required = new Set(listAt(schema, 'required'));
    const fields: Record<string, Field> = {};
    for (const [name, below] of Object.entries(objectAt(schema, 'properties'))) {
      // A description's own reading (`x-reading`) is not a fact about the service.
      if (name === '__proto__' || textMember(below, 'x-reading') !== '') continue;
      const field = this.field(below, depth + 1);
      fields[this.neutral(name)] = required.has(name) ? { ...field, required: true } : field;
    }
    return fields;
  }

  /** True when an object schema accepts no other property. */
  isClosed(value: Json | undefined): boolean {
    return this.#flat(this.resolve(value)).additionalProperties === false;
  }

  /**
   * The parts of an `allOf` merged into one schema, computed once for each; a part that contains itself adds nothing.
   */
  #flat(schema: JsonObject, depth = 0): JsonObject {
    const parts = listAt(schema, 'allOf');
    if (parts.length === 0 || depth > DEEPEST) return schema;
    const known = this.#flats.get(schema);
    if (known) return known;
    this.#flats.set(schema, {});
    // The first part wins, so it is added last.
    const flat = parts.map((part) => this.#flat(this.resolve(part), depth + 1));
    const whole: JsonObject = {};
    const properties: JsonObject = {};
    for (const one of [...flat].reverse().concat(schema)) {
      Object.assign(whole, one);
      Object.assign(properties, objectAt(one, 'properties'));
    }
    whole.properties = properties;
    whole.required = [schema, ...flat].flatMap((one) => listAt(one, 'required'));
    this.#flats.set(schema, whole);
    return whole;
  }

  #object(schema: JsonObject, depth: number): Partial<Field> {
    const fields = this.fields(schema, depth);
    const open = schema.additionalProperties === false ? {} : { open: true as const };
    return Object.keys(fields).length > 0 ? { fields, ...open } : { open: true };
  }

  #scalar(schema: JsonObject, type: FieldType): Partial<Field> {
    const number = (name: string): number | undefined => (typeof schema[name] === 'number' ? schema[name] : undefined);
    const allowed = listAt(schema, 'enum').filter((value): value is string => typeof value === 'string');
    const constant = typeof schema.const === 'string' ? [schema.const] : [];
    const values = [...allowed, ...constant];
    const format = formatOf(schema, type);
    const facts: [keyof Field, unknown][] = [
      ['format', format],
      ['enum', type === 'string' && values.length > 0 ? values : undefined],
      ['minLength', format === 'id' ? undefined : number('minLength')],
      ['maxLength', format === 'id' ? undefined : number('maxLength')],
      ['min', type === 'integer' || type === 'number' ? number('minimum') : undefined],
      ['max', type === 'integer' || type === 'number' ? number('maximum') : undefined],
      ['minItems', number('minItems')],
      ['maxItems', number('maxItems')],
    ];
    return Object.fromEntries(facts.filter(([, value]) => value !== undefined));
  }
}

function typeOf(named: string | undefined, schema: JsonObject): FieldType {
  const known: readonly string[] = ['string', 'integer', 'number', 'boolean', 'object', 'array'];
  if (named !== undefined && known.includes(named)) return named as FieldType;
  if (schema.properties !== undefined) return 'object';
  if (schema.items !== undefined) return 'array';
  return listAt(schema, 'enum').some((value) => typeof value === 'string') ? 'string' : 'any';
}

function formatOf(schema: JsonObject, type: FieldType): FieldFormat | undefined {
  if (type !== 'string') return undefined;
  if (schema.minLength === 20 && schema.maxLength === 20) return 'id';
  const formats: Readonly<Record<string, FieldFormat>> = {
    email: 'email',
    'date-time': 'date-time',
    uri: 'url',
    url: 'url',
    ipv4: 'ipv4',
    country: 'country',
    currency: 'currency',
    timezone: 'timezone',
    cron: 'cron',
  };
  const name = textMember(schema, 'format');
  return Object.hasOwn(formats, name) ? formats[name] : undefined;
}

function note(schema: JsonObject): { note?: string } {
  const text = oneLine(textMember(schema, 'description'));
  return text === '' ? {} : { note: text };
}

/** A description on one line of reasonable length. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_NOTE ? line : `${line.slice(0, LONGEST_NOTE - 3).trimEnd()}...`;
}
