import { CopsError, jsonOf } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Field, QueryField } from '../../catalogue/types.js';
import { fromService } from '../request/wallet.js';
import {
  isSchemaObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  oneLine,
  SchemaReader,
  textMember,
} from './schema.js';
import type { DescribedOperation } from './types.js';

const PAGING: ReadonlySet<string> = new Set(['date_start', 'date_end', 'limit', 'page']);
const METHODS = ['get', 'post'] as const;

/** Largest description to accept, in bytes: many times the size of any honest one. */
export const LARGEST_DESCRIPTION = 32 * 1024 * 1024;

/**
 * Parses the text of an OpenAPI 3 description.
 * @throws CopsError `refused` for anything else, so that nothing useless is kept; `local` for a file of this machine
 */
export function parseDescription(text: string, from: string, isKept = false): JsonObject {
  const refuse = (why: string): CopsError =>
    new CopsError(isKept ? 'local' : 'refused', `${from} is not an OpenAPI 3 description: ${why}.`, {
      hint: isKept
        ? say`Pull it again: ${cops`openapi pull`}`
        : say`Nothing was changed. Check the base URL: ${cops`whoami`}.`,
    });
  if (text.length > LARGEST_DESCRIPTION) throw refuse(`it is larger than ${LARGEST_DESCRIPTION} bytes`);
  const document: unknown = jsonOf(text.replace(/^\ufeff/, ''), () => refuse('it is not JSON'));
  if (!isSchemaObject(document)) throw refuse('it is not a JSON object');
  if (!textMember(document, 'openapi').startsWith('3.')) throw refuse('it does not declare openapi 3');
  if (Object.keys(objectAt(document, 'paths')).length === 0) throw refuse('it has no paths');
  return document;
}

/** Every GET and POST operation of a description, in the catalogue's words. */
export function describedOperations(document: JsonObject, walletWord: string): DescribedOperation[] {
  const neutral = (name: string): string => neutralName(name, walletWord);
  const reader = new SchemaReader(document, neutral);
  const operations: DescribedOperation[] = [];
  for (const [path, value] of Object.entries(objectAt(document, 'paths'))) {
    if (!path.startsWith('/')) continue;
    const item = reader.resolve(value);
    for (const method of METHODS)
      if (isSchemaObject(item[method])) operations.push(describe(method, neutralPath(path, neutral), item, reader));
  }
  return operations;
}

function describe(method: 'get' | 'post', path: string, item: JsonObject, reader: SchemaReader): DescribedOperation {
  const operation = objectAt(item, method);
  const parameters = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')].map((one) =>
    reader.resolve(one),
  );
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && textMember(parameter, 'name') !== '');
  const names = new Set(inQuery.map((parameter) => textMember(parameter, 'name')));
  const query: Record<string, QueryField> = {};
  for (const parameter of inQuery) {
    const name = textMember(parameter, 'name');
    if (PAGING.has(name) || name === '__proto__') continue;
    const field = reader.fields({ properties: { [name]: parameter.schema ?? {} } });
    const [[known, schema] = [name, { type: 'string' as const }]] = Object.entries(field);
    query[known] = queryField(known, path, parameter, schema);
  }
  const schema = contentSchema(reader.resolve(operation.requestBody));
  const answer = reader.fields(contentSchema(reader.resolve(objectAt(operation, 'responses')['200'])));
  const item0 = answer.results?.items?.fields;
  const fields = reader.fields(schema);
  delete fields.idempotency_key;
  return {
    method: method === 'get' ? 'GET' : 'POST',
    path,
    operationId: textMember(operation, 'operationId'),
    summary: oneLine(textMember(operation, 'summary') || textMember(operation, 'description')),
    query,
    dates: names.has('date_start') && names.has('date_end'),
    paged: names.has('page') && names.has('limit'),
    body:
      method === 'post' && schema !== undefined
        ? { closed: reader.isClosed(schema), complete: true, fields }
        : undefined,
    answer: Object.keys(item0 ?? answer),
    list: answer.results !== undefined,
  };
}

function queryField(name: string, path: string, parameter: JsonObject, schema: Field): QueryField {
  const many = schema.type === 'array';
  const inner = many ? (schema.items ?? { type: 'string' as const }) : schema;
  const positional = path.endsWith('/search') && /^(search_)?term$/.test(name);
  return {
    type: inner.type === 'integer' || inner.type === 'boolean' ? inner.type : 'string',
    many: many || undefined,
    required: parameter.required === true ? true : undefined,
    format: inner.format === 'id' ? ('id' as const) : undefined,
    enum: inner.enum,
    metadata: name === 'metadata_filter' ? true : undefined,
    positional: positional || undefined,
    note: textMember(parameter, 'description') === '' ? undefined : oneLine(textMember(parameter, 'description')),
  };
}

/** The schema of the JSON content of a body or an answer. */
function contentSchema(holder: JsonObject): Json | undefined {
  const content = objectAt(holder, 'content');
  const type = Object.keys(content).find((name) => /^application\/(.+\+)?json\b/.test(name));
  return type === undefined ? undefined : objectAt(content, type).schema;
}

function neutralName(name: string, word: string): string {
  if (word === 'wallet' || !name.includes(word)) return name;
  const text = fromService(JSON.stringify({ [name]: 0 }), word);
  return Object.keys(JSON.parse(text) as object)[0] ?? name;
}

function neutralPath(path: string, neutral: (name: string) => string): string {
  const [, family = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(path) ?? [];
  return `/${neutral(family)}${rest}`;
}
