import { CHECK_NAMES } from '../src/catalogue/check-names.js';
import { filterOptions, pathParameters } from '../src/catalogue/index.js';
import { GLOBAL_NAMES, LIST_NAMES, WRITE_NAMES } from '../src/catalogue/option-names.js';
import type { Family, Field, Operation } from '../src/catalogue/types.js';

const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** The options that an operation adds to the command line, without leading dashes. */
export function typedOptions(operation: Operation): string[] {
  const query = filterOptions(operation).map(({ option }) => option);
  const body = Object.entries(operation.body?.fields ?? {})
    .filter(
      ([name, field]) => SCALARS.has(field.type) && field.secret === undefined && name !== operation.positionalBody,
    )
    .map(([name]) => name.replaceAll('_', '-'));
  return [...query, ...body];
}

/** Identifiers whose first word must be `wallet`, since the service may use another word there. */
const WALLET_OTHERWISE =
  /\b(?!wallet_)[a-z]+_(account_email|account_app_id|disputes?|dispute_(id|status|reason)[a-z_]*)\b/;

function checkField(field: Field, at: string, faults: string[]): void {
  const isObject = field.type === 'object';
  if (field.fields !== undefined && !isObject) faults.push(`${at}: fields on a ${field.type}`);
  if (isObject && field.fields === undefined && field.open === undefined) faults.push(`${at}: object without fields`);
  if (field.items !== undefined && field.type !== 'array') faults.push(`${at}: items on a ${field.type}`);
  if (field.enum?.length === 0) faults.push(`${at}: empty list of values`);
  if ((field.minLength ?? 0) > (field.maxLength ?? Number.POSITIVE_INFINITY)) faults.push(`${at}: lengths crossed`);
  if ((field.min ?? 0) > (field.max ?? Number.POSITIVE_INFINITY)) faults.push(`${at}: limits crossed`);
  for (const [name, child] of Object.entries(field.fields ?? {})) checkField(child, `${at}.${name}`, faults);
  if (field.items !== undefined) checkField(field.items, `${at}[]`, faults);
}

/** Names of the answer's own envelope (service.md#envelopes): a body field of such a name could never be read back. */
const ENVELOPE: ReadonlySet<string> = new Set(['api_call_id', 'api_call_unix', 'code', 'result']);

/** Every id shows what it refers to, by its name or by `refers`, and that family exists. */
function checkReferences(fields: Fields, at: string, families: ReadonlySet<string>, faults: string[]): void {
  for (const [name, field] of Object.entries(fields)) {
    const place = `${at}${name}`;
    const isId = field.format === 'id' || field.items?.format === 'id';
    if (isId && name !== 'id' && field.refers === undefined && field.refersBy === undefined) {
      faults.push(`${place}: its name implies no family, so it needs refers`);
    }
    for (const family of field.refers ?? []) {
      if (!families.has(family)) faults.push(`${place}: refers to ${family}, which is not a family`);
    }
    const { refersBy } = field;
    if (refersBy !== undefined && fields[refersBy.field] === undefined)
      faults.push(`${place}: its kind ${refersBy.field} is not a field`);
    for (const family of Object.values(refersBy?.families ?? {})) {
      if (!families.has(family)) faults.push(`${place}: refers to ${family}, which is not a family`);
    }
    checkReferences(field.fields ?? {}, `${place}.`, families, faults);
    checkReferences(field.items?.fields ?? {}, `${place}[].`, families, faults);
  }
}

/** Whether a path leads to a known field of the items, or into one whose members were never listed. */
function isKnown(family: Family, path: string): boolean {
  if (path === family.idField) return true;
  let fields: Fields | undefined = family.item;
  for (const step of path.split('.')) {
    const field: Field | undefined = fields?.[step];
    if (field === undefined) return false;
    if (field.fields === undefined) return true;
    fields = field.fields;
  }
  return true;
}

function checkFacts(family: Family, families: ReadonlySet<string>, faults: string[]): void {
  if (!['event', 'people', 'set-up'].includes(family.nature)) faults.push(`${family.name}: no nature`);
  for (const { path } of family.columns) {
    if (!isKnown(family, path)) faults.push(`${family.name}: column ${path} is not a field of its items`);
  }
  for (const { field } of family.keys) {
    if (!isKnown(family, field)) faults.push(`${family.name}: key ${field} is not a field of its items`);
  }
  if (family.item !== undefined) checkReferences(family.item, `${family.name} item `, families, faults);
  for (const { action, body, query } of family.operations) {
    const at = `${family.name} ${action}`;
    for (const name of Object.keys(body?.fields ?? {})) {
      if (ENVELOPE.has(name)) faults.push(`${at}: body field ${name} clashes with the envelope`);
    }
    checkReferences(body?.fields ?? {}, `${at}: `, families, faults);
    for (const [name, field] of Object.entries(query ?? {})) {
      if (field.format === 'id' && field.refers === undefined) faults.push(`${at}: the family of ${name} is unknown`);
    }
  }
}

type Fields = Readonly<Record<string, Field>>;

function checkList(operation: Operation, at: string, faults: string[]): void {
  const { list } = operation;
  if (list === undefined) return;
  if (operation.method !== 'GET') faults.push(`${at}: a list must be a GET`);
  if ((list.style === 'windowed') !== (list.spanDays !== undefined))
    faults.push(`${at}: span and windows need each other`);
  if (list.spanDays !== undefined && !(list.spanDays >= 1 && list.spanDays <= 90))
    faults.push(`${at}: span out of 1 to 90`);
  if (list.datesUnproven !== undefined && list.style !== 'windowed')
    faults.push(`${at}: dates unproven without windows`);
  const term = Object.values(operation.query ?? {}).find((field) => field.positional);
  if (list.style === 'search' && term === undefined) faults.push(`${at}: search without a term`);
}

function checkOptions(operation: Operation, at: string, faults: string[]): void {
  const taken = new Set([
    ...GLOBAL_NAMES,
    ...(operation.list === undefined ? [] : LIST_NAMES),
    ...(operation.related === undefined ? [] : ['with']),
    ...(operation.method === 'POST' ? WRITE_NAMES : []),
  ]);
  const seen = new Set<string>();
  for (const option of typedOptions(operation)) {
    if (taken.has(option.replace(/^no-/, ''))) faults.push(`${at}: option --${option} clashes with a built-in one`);
    if (seen.has(option)) faults.push(`${at}: option --${option} twice`);
    seen.add(option);
  }
}

function checkOperation(family: Family, operation: Operation, faults: string[]): void {
  const at = `${family.name} ${operation.action}`;
  if (!['read', 'write', 'money', 'irreversible'].includes(operation.risk)) faults.push(`${at}: no risk`);
  if (operation.method === 'GET' && operation.risk !== 'read') faults.push(`${at}: a GET reads`);
  if (!/^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?$/.test(operation.action))
    faults.push(`${at}: action is not a command word`);
  if (!/^(\/([a-z_]+|\{[a-z_]+\}))+$/.test(operation.path)) faults.push(`${at}: path is malformed`);
  if (operation.summary === '' || /[.\n]$/.test(operation.summary))
    faults.push(`${at}: summary is missing or ends in a stop`);
  if (operation.method === 'GET' && operation.body !== undefined) faults.push(`${at}: a GET has no body`);

  const params = pathParameters(operation);
  if (new Set(params).size !== params.length) faults.push(`${at}: a path parameter occurs twice`);
  for (const name of Object.keys(operation.params ?? {})) {
    if (!params.includes(name)) faults.push(`${at}: kind of {${name}}, which the path lacks`);
  }
  for (const name of params) {
    if (!name.endsWith('_id') && operation.params?.[name] === undefined) faults.push(`${at}: {${name}} has no source`);
  }

  checkList(operation, at, faults);
  checkOptions(operation, at, faults);
  for (const [name, field] of Object.entries(operation.body?.fields ?? {})) checkField(field, `${at}: ${name}`, faults);
  if (operation.positionalBody !== undefined && operation.body?.fields[operation.positionalBody] === undefined) {
    faults.push(`${at}: positional field is not in the body`);
  }
  if (operation.preview && params.length > 0 && !family.operations.some(({ action }) => action === 'get'))
    faults.push(`${at}: no read returns the fields of its preview`);
  if (operation.acceptedOnly && operation.risk !== 'money' && operation.risk !== 'irreversible') {
    faults.push(`${at}: accepted money at risk ${operation.risk}`);
  }
  for (const name of operation.checks ?? []) {
    if (!(CHECK_NAMES as readonly string[]).includes(name)) faults.push(`${at}: unknown check ${name}`);
  }

  const command = `${family.name.replaceAll('_', '-')} ${operation.action}`;
  if (operation.example !== command && !operation.example.startsWith(`${command} `))
    faults.push(`${at}: example runs something else`);
  for (const rule of operation.rules) if (!/[.]$/.test(rule)) faults.push(`${at}: rule is not a sentence: ${rule}`);
}

/** The faults of the whole catalogue, in words; an empty list if it is sound. */
export function checkCatalogue(families: readonly Family[]): string[] {
  const faults: string[] = [];
  const names = new Set<string>();
  const routes = new Set<string>();
  for (const family of families) {
    if (names.has(family.name)) faults.push(`${family.name}: twice`);
    names.add(family.name);
    if (WALLET_OTHERWISE.test(JSON.stringify(family)))
      faults.push(`${family.name}: an identifier that spells wallet differently`);
    const first = family.columns[0]?.path;
    if (family.columns.length === 0) faults.push(`${family.name}: no columns`);
    const hasItems = family.operations.some(({ list }) => list !== undefined);
    if (hasItems && first !== family.idField)
      faults.push(`${family.name}: the first column is not its ${family.idField}`);
    if (family.summary === '') faults.push(`${family.name}: no summary`);
    for (const [name, field] of Object.entries(family.item ?? {}))
      checkField(field, `${family.name} item ${name}`, faults);
    const actions = new Set<string>();
    for (const operation of family.operations) {
      if (actions.has(operation.action)) faults.push(`${family.name} ${operation.action}: twice`);
      actions.add(operation.action);
      const route = `${operation.method} ${operation.path}`;
      if (routes.has(route)) faults.push(`${route}: twice`);
      routes.add(route);
      if (operation.example === '') faults.push(`${family.name} ${operation.action}: no example`);
      checkOperation(family, operation, faults);
    }
    for (const word of Object.keys(family.instead ?? {})) {
      if (actions.has(word)) faults.push(`${family.name} ${word}: exists, but is listed as missing`);
    }
  }
  for (const family of families) {
    checkFacts(family, names, faults);
    for (const { action, wait, related } of family.operations) {
      for (const [word, relation] of Object.entries(related ?? {})) {
        const other = families.find(({ name }) => name === relation.family);
        if (!other?.operations.some((operation) => operation.action === 'get' && operation.method === 'GET')) {
          faults.push(`${family.name} ${action}: ${word} is read by a get that does not exist`);
        }
      }
      if (wait === undefined) continue;
      const target = families.find(({ name }) => name === wait.read.family);
      if (
        !target?.operations.some((operation) => operation.action === wait.read.action && operation.method === 'GET')
      ) {
        faults.push(`${family.name} ${action}: waits on a read that does not exist`);
      }
    }
  }
  return faults;
}
