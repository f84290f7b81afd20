import { FAMILY_INDEX, loadFamily } from '../catalogue/index.js';
import type { Family, Field, Operation, QueryField } from '../catalogue/types.js';
import type { Value } from './text.js';

const TYPES: Readonly<Record<string, Value>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  any: {},
};

const FORMATS: Readonly<Record<string, Value>> = {
  id: { minLength: 20, maxLength: 20 },
  email: { format: 'email' },
  'date-time': { format: 'date-time' },
  url: { format: 'uri' },
  ipv4: { format: 'ipv4' },
  country: { pattern: '^[A-Z]{3}$' },
  currency: { minLength: 3, maxLength: 3 },
  digits: { pattern: '^[0-9]+$' },
};

/** The service's own description (spec section 1: OpenAPI 3.1), made from the catalogue. */
export async function describeSandbox(): Promise<string> {
  const paths: Record<string, Record<string, Value>> = {};
  const names = new Set<string>();
  for (const entry of FAMILY_INDEX) {
    const family = await loadFamily(entry.name);
    for (const operation of family.operations) {
      const methods = paths[operation.path] ?? {};
      methods[operation.method.toLowerCase()] = describe(family, operation, names);
      paths[operation.path] = methods;
    }
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Commerce Operations REST API (sandbox)', version: '2', description: 'The sandbox of cops.' },
    servers: [{ url: '/' }],
    security: [{ api_key: [] }],
    tags: FAMILY_INDEX.map(({ name, summary }) => ({ name, description: summary })),
    paths,
    components: {
      securitySchemes: { api_key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: SCHEMAS,
    },
  });
}

function describe(family: Family, operation: Operation, names: Set<string>): Value {
  let operationId = operation.operationId || madeUpId(operation);
  while (names.has(operationId)) operationId += 'Again';
  names.add(operationId);
  return {
    operationId,
    tags: [family.name],
    summary: operation.summary,
    description: operation.rules.length > 0 ? operation.rules.join('\n') : undefined,
    parameters: [...pathParameters(operation), ...listParameters(operation), ...queryParameters(operation)],
    requestBody: operation.method === 'POST' ? requestBody(operation) : undefined,
    responses: {
      '200': { description: 'Success', content: json(operation.list ? LIST : success(operation)) },
      default: { description: 'Error', content: json({ $ref: '#/components/schemas/error' }) },
    },
  };
}

function madeUpId({ method, path }: Operation): string {
  const words = path.replace(/\{[^}]*\}/g, 'one').split(/[/_]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function pathParameters(operation: Operation): Value[] {
  return [...operation.path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: operation.params?.[name as string] ? { type: 'string' } : { type: 'string', ...FORMATS.id },
  }));
}

function listParameters({ list }: Operation): Value[] {
  if (!list || list.style === 'single' || list.style === 'search') return [];
  const whole = (name: string, schema: Value = {}) => ({
    name,
    in: 'query',
    required: true,
    schema: { type: 'integer', ...schema },
  });
  const dates = list.style === 'windowed' ? [whole('date_start'), whole('date_end')] : [];
  return [...dates, whole('limit', { minimum: 1, maximum: 25, default: 25 }), whole('page')];
}

function queryParameters(operation: Operation): Value[] {
  return Object.entries(operation.query ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    required: field.required ? true : undefined,
    ...(field.many
      ? { style: 'form', explode: true, schema: { type: 'array', items: querySchema(field) } }
      : { schema: querySchema(field) }),
    description: field.note,
  }));
}

function querySchema(field: QueryField): Value {
  return {
    type: field.type,
    enum: field.enum,
    ...(field.format ? (FORMATS[field.format] ?? {}) : {}),
  };
}

function requestBody({ body, keyMinLength = 10 }: Operation): Value {
  const fields = body?.fields ?? {};
  const required = Object.entries(fields).filter(([, field]) => field.required);
  const schema: Value = {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
      idempotency_key: { type: 'string', minLength: keyMinLength, maxLength: 255 },
    },
    required: required.length > 0 ? required.map(([name]) => name) : undefined,
    additionalProperties: body?.closed && body.complete ? false : undefined,
  };
  return { required: required.length > 0, content: json(schema) };
}

function fieldSchema(field: Field): Value {
  const base = TYPES[field.type] ?? {};
  const schema: Value = { ...base };
  if (field.nullable && typeof base.type === 'string') schema.type = [base.type, 'null'];
  if (field.format && field.type === 'string') Object.assign(schema, FORMATS[field.format] ?? {});
  if (field.enum) schema.enum = field.nullable ? [...field.enum, null] : field.enum;
  const copies = {
    minLength: 'minLength',
    maxLength: 'maxLength',
    min: 'minimum',
    max: 'maximum',
    minItems: 'minItems',
    maxItems: 'maxItems',
    default: 'default',
    note: 'description',
  } as const;
  for (const [from, to] of Object.entries(copies)) {
    const value = field[from as keyof typeof copies];
    if (value !== undefined) schema[to] = value;
  }
  // An empty text, where it is taken, takes the value away.
  if (field.emptyOk || field.nullable) delete schema.minLength;
  if (field.items) schema.items = fieldSchema(field.items);
  if (field.fields) {
    schema.properties = Object.fromEntries(
      Object.entries(field.fields).map(([name, inner]) => [name, fieldSchema(inner)]),
    );
    const required = Object.entries(field.fields).filter(([, inner]) => inner.required);
    if (required.length > 0) schema.required = required.map(([name]) => name);
    if (!field.open) schema.additionalProperties = false;
  }
  return schema;
}

function json(schema: Value): Value {
  return { 'application/json': { schema } };
}

function success(operation: Operation): Value {
  const id = operation.answerId ? { [operation.answerId]: { type: 'string' }, result: { type: 'string' } } : {};
  return { allOf: [{ $ref: '#/components/schemas/success' }, { type: 'object', properties: id }] };
}

const LIST: Value = { allOf: [{ $ref: '#/components/schemas/success' }, { $ref: '#/components/schemas/page' }] };

/** The envelopes of spec 2.1 and 7.2. */
const SCHEMAS: Value = {
  success: {
    type: 'object',
    required: ['api_call_id', 'api_call_unix', 'code'],
    properties: {
      api_call_id: { type: 'string', ...FORMATS.id },
      api_call_unix: { type: 'integer' },
      code: { type: 'integer', enum: [1] },
    },
  },
  page: {
    type: 'object',
    required: ['current_count', 'current_page', 'results', 'total_count', 'total_pages'],
    properties: {
      current_count: { type: 'integer' },
      current_page: { type: 'integer' },
      results: { type: 'array', items: { type: 'object' } },
      total_count: { type: 'integer' },
      total_pages: { type: 'integer' },
    },
  },
  error: {
    type: 'object',
    required: ['code', 'message', 'result'],
    properties: {
      api_call_id: { type: ['string', 'null'] },
      api_call_unix: { type: 'integer' },
      code: { type: 'integer', enum: [0, 2, 3, 4, 5] },
      error_code: { type: 'string', pattern: '^E[0-9]{4}$' },
      message: { type: 'string' },
      result: { type: 'string' },
    },
  },
};
