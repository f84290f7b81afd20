import { FAMILY_INDEX, loadFamily } from '../../catalogue/index.js';
import type { Family, Operation, QueryField } from '../../catalogue/types.js';
import { assumedFields } from '../rules/accepted-fields.js';
import { READINGS } from '../rules/readings.js';
import type { Value } from '../store/item-values.js';
import { singular } from '../store/kinds.js';
import { answerOf, ENVELOPES, ERRORS, errorsOf, json } from './description-answers.js';
import { FORM_SCHEMAS, fieldSchema } from './description-fields.js';
import { itemSchemas } from './description-items.js';

/**
 * The service's own description (service.md#conventions: OpenAPI 3.1), made from the catalogue. Marks every reading of
 * the sandbox: `x-readings` on the document and on operations, `x-reading` on a property, `x-evidence` on an operation.
 */
export async function describeSandbox(): Promise<string> {
  const paths: Record<string, Record<string, Value>> = {};
  const names = new Set<string>();
  const families: Family[] = [];
  for (const entry of FAMILY_INDEX) families.push(await loadFamily(entry.name));
  for (const family of families) {
    for (const operation of family.operations) {
      const methods = paths[operation.path] ?? {};
      methods[operation.method.toLowerCase()] = describe(family, operation, names);
      paths[operation.path] = methods;
    }
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Commerce Operations REST API (sandbox)', version: '2', description: 'The sandbox of cops.' },
    servers: [{ url: '/v2' }],
    security: [{ api_key: [] }],
    tags: FAMILY_INDEX.map(({ name, summary }) => ({ name, description: summary })),
    paths,
    components: {
      securitySchemes: { api_key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      responses: ERRORS,
      schemas: { ...ENVELOPES, ...itemSchemas(families) },
    },
    'x-readings': READINGS,
  });
}

function describe(family: Family, operation: Operation, names: Set<string>): Value {
  let operationId = operation.operationId || madeUpId(operation);
  while (names.has(operationId)) operationId += 'Again';
  names.add(operationId);
  const readings = readingsOf(family, operation);
  return {
    operationId,
    tags: [family.name],
    summary: operation.summary,
    description: operation.rules.length > 0 ? operation.rules.join('\n') : undefined,
    parameters: [...pathParameters(operation), ...listParameters(operation), ...queryParameters(operation)],
    requestBody: operation.method === 'POST' ? requestBody(operation) : undefined,
    responses: {
      '200': { description: 'Success', content: json(answerOf(family, operation)) },
      ...errorsOf(operation),
    },
    'x-evidence': operation.evidence,
    'x-readings': readings.length > 0 ? readings : undefined,
  };
}

/** The readings behind an operation: those about its family, and those about lists or searches. */
function readingsOf(family: Family, operation: Operation): string[] {
  const about = new Set([singular(family.name).replaceAll('_', ' ')]);
  if (operation.list?.style === 'windowed') about.add('lists');
  if (operation.list?.style === 'search') about.add('search');
  if (operation.method === 'POST') about.add('bodies');
  return READINGS.filter((reading) => about.has(reading.about.toLowerCase())).map(({ id }) => id);
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
    schema: operation.params?.[name as string] ? { type: 'string' } : { type: 'string', ...FORM_SCHEMAS.id },
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
    ...(field.format ? (FORM_SCHEMAS[field.format] ?? {}) : {}),
  };
}

/** The body of a write as JSON Schema, as far as it is documented. */
export function bodySchema(operation: Operation): Value {
  const { body, keyMinLength = 10 } = operation;
  const fields = body?.fields ?? {};
  const required = Object.entries(fields).filter(([, field]) => field.required);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, name)])),
      idempotency_key: { type: 'string', minLength: keyMinLength, maxLength: 255 },
    },
    required: required.length > 0 ? required.map(([name]) => name) : undefined,
    additionalProperties: body?.closed && body.complete ? false : undefined,
  };
}

function requestBody(operation: Operation): Value {
  const schema = bodySchema(operation);
  const properties = { ...assumedFields(operation), ...(schema.properties as Value) };
  return { required: schema.required !== undefined, content: json({ ...schema, properties }) };
}
