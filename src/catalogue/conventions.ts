import { deletePreview, searchTerm } from './fields.js';
import { PERMISSIONS } from './permissions.js';
import { NEWEST_PLACE, RELATION_PLACES, type RelationWord } from './references.js';
import type { Body, Brings, Column, Family, Field, List, Operation, Preview, QueryField, Relation } from './types.js';

/**
 * The service's conventions (service.md#conventions, service.md#lists). A family file states only where it differs. The
 * family and the action determine the method, path, operation id, summary, risk, id of the answer, permission, the
 * question before a deletion, and the help sentences that all operations of a kind share.
 */

/** `undefined` for a property removes the convention: the operation does not have it. */
type Told<Type> = { readonly [Name in keyof Type]?: Type[Name] | undefined };

export interface BodySpec extends Omit<Body, 'closed' | 'complete' | 'fields'> {
  /**
   * True for an edit that takes what `create` takes, with nothing required; `fields` then lists only the differences.
   */
  readonly asCreate?: boolean;
  readonly fields?: Body['fields'];
  /** Default: false. */
  readonly closed?: boolean;
  /** Default: false. */
  readonly complete?: boolean;
}

/**
 * Columns as words, `path=title:format`: a bare path gets the title and format known for its name, and spaces are
 * underscores. A column that needs more is an object.
 */
type ColumnsSpec = string | readonly (Column | string)[];

/** A question's facts as words, `path=label`. */
export interface PreviewSpec extends Omit<Preview, 'show'> {
  readonly show: string;
}

/** An operation in a family file. */
export interface OperationSpec extends Told<Omit<Operation, 'action' | 'body' | 'columns' | 'related' | 'preview'>> {
  readonly columns?: ColumnsSpec;
  readonly preview?: PreviewSpec | undefined;
  readonly body?: BodySpec | undefined;
  /** The relations that `--with` can read along. */
  readonly related?: readonly RelationWord[];
}

/** A family as its file describes it. */
export interface FamilySpec extends Omit<Family, 'operations' | 'columns' | 'idField' | 'keys'> {
  readonly columns: ColumnsSpec;
  /** The name of one item; by default the singular of the family name. */
  readonly one?: string;
  /** An id of the family for examples. */
  readonly exampleId?: string;
  /** The same for a thing that belongs to its items. */
  readonly examplePart?: string;
  /** Default: `id`. */
  readonly idField?: string;
  /** Default: the name, for set-up families that have one. */
  readonly keys?: Family['keys'];
  /** The risk of a write that states none, except a deletion. By default that of a create or edit is `write`. */
  readonly risk?: Operation['risk'];
  /** The evidence for operations that state none. Default: `published`. */
  readonly evidence?: Operation['evidence'];
  /** By action, in the order of help: `get`, `payment-methods list`. */
  readonly operations: Readonly<Record<string, OperationSpec>>;
}

const UNPROVEN_NAME = { field: 'name', unique: false, source: 'nothing says that it is' } as const;

/** Columns that many families share; any other column describes itself. */
const KNOWN_COLUMNS: Readonly<Record<string, Omit<Column, 'path'>>> = {
  amount: { as: 'money' },
  amount_refunded: { title: 'refunded', as: 'money' },
  amount_total: { title: 'total', as: 'money' },
  call_duration_ms: { title: 'duration ms' },
  campaign_name: { title: 'campaign' },
  created_date_unix: { title: 'created', as: 'time' },
  'customer.email': { title: 'customer' },
  enabled: { as: 'flag' },
  expiry_date: { title: 'expires' },
  iso_currency: { title: 'currency' },
  live_mode: { title: 'live', as: 'flag' },
  'product.name': { title: 'product' },
  status: { as: 'status' },
};

function columnsOf(said: ColumnsSpec): readonly Column[] {
  return [said].flat().flatMap((one) => (typeof one === 'string' ? one.split(' ').map(columnOf) : [one]));
}

function columnOf(word: string): Column {
  const [name = word, as] = word.split(':');
  const [path = word, title] = name.split('=');
  const usual = path.includes('_') ? { title: spaced(path) } : {};
  return {
    path,
    ...(Object.hasOwn(KNOWN_COLUMNS, path) ? KNOWN_COLUMNS[path] : usual),
    ...(title && { title: spaced(title) }),
    ...(as && { as: as as NonNullable<Column['as']> }),
  };
}

/** Labels of the fields that most questions show. */
const KNOWN_LABELS: Readonly<Record<string, string>> = {
  'customer.id': 'customer',
  'customer.email': 'e-mail',
  iso_currency: 'currency',
};

function previewOf({ show, ...preview }: PreviewSpec): Preview {
  const facts = show.split(' ').filter(Boolean);
  return {
    show: facts.map((fact) => {
      const [path = fact, label = KNOWN_LABELS[path] ?? path] = fact.split('=');
      return { path, label: spaced(label) };
    }),
    ...preview,
  };
}

const spaced = (name: string): string => name.replaceAll('_', ' ');

const UNCOUNTED: ReadonlySet<string> = new Set(['shipping', 'tax', 'metadata', 'sentinel', 'bigquery']);

/** `subscription_profiles` → `subscription_profile`: the word in ids, permissions and answers. */
export function singularOf(name: string): string {
  if (UNCOUNTED.has(name)) return name;
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '');
}

const ABBREVIATIONS: ReadonlySet<string> = new Set(['ai', 'api', 'bin', 'smtp', 'url', 'ssl', 'dns']);

function words(name: string): string {
  const spelled = name.split(/[_-]/).map((word) => (ABBREVIATIONS.has(word) ? word.toUpperCase() : word));
  return spelled.join(' ');
}

function pascal(name: string): string {
  return name
    .split(/[_-]/)
    .map((word) =>
      word === 'ai' || word === 'api' ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('');
}

/** `an AI assistant`, `a user gateway`, `an SMTP profile`. */
function withArticle(noun: string): string {
  return /^(?:[aeio]|AI|API|SMTP)/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** The conventional parts of an operation: everything except what only its own description can give. */
type Usual = Told<Operation>;

/**
 * `verb`: the last word of the action: `list`, `set-default`. `part`: the word before it, for things that belong to the
 * family's items: `payment-methods`.
 */
type Names = ReturnType<typeof namesOf>;

const READS: ReadonlySet<string> = new Set(['list', 'get', 'search']);
const WITHOUT_ID: ReadonlySet<string> = new Set(['list', 'create', 'search']);

function namesOf(family: FamilySpec, action: string) {
  const steps = action.split(' ');
  const verb = steps.at(-1) ?? action;
  const part = steps.length > 1 ? steps[0] : undefined;
  const single = singularOf(family.name);
  const { idField = 'id' } = family;
  return { family, verb, part, one: family.one ?? words(single), idName: idField === 'id' ? `${single}_id` : idField };
}

/** The conventional path (service.md#conventions) for an action of a family, or of things that belong to its items. */
function usualPath({ family, verb, part, idName }: Names): string {
  const step = verb.replaceAll('-', '_');
  const tail = ['list', 'get', 'create', 'edit'].includes(verb) ? '' : `/${step}`;
  if (part === undefined) {
    const base = `/${family.name}`;
    return WITHOUT_ID.has(verb) ? `${base}${tail}` : `${base}/{${idName}}${tail}`;
  }
  const below = part.replaceAll('-', '_');
  const base = `/${family.name}/{${idName}}/${below}`;
  return WITHOUT_ID.has(verb) ? `${base}${tail}` : `${base}/{${singularOf(below)}_id}${tail}`;
}

function usualSummary({ family, verb, part, one }: Names): string {
  if (part !== undefined) {
    const parts = `${withArticle(one)}'s ${words(part)}`;
    if (verb === 'list') return `List ${parts}`;
    return `${verb === 'get' ? 'Show' : pascal(verb)} one of ${parts}`;
  }
  if (verb === 'list') return `List ${family.one === undefined ? words(family.name) : `${one}s`}`;
  if (verb === 'search') return `Search ${family.one === undefined ? words(family.name) : `${one}s`}`;
  if (verb === 'get') return `Show one ${one}`;
  return `${pascal(verb)} ${withArticle(one)}`;
}

function usualOperationId({ family, verb, part }: Names): string {
  if (part !== undefined) return '';
  const single = pascal(singularOf(family.name));
  if (verb === 'list') return `Get${pascal(family.name)}`;
  if (verb === 'search') return `Search${pascal(family.name)}`;
  return `${pascal(verb)}${single}`;
}

function usualExample({ family, verb, part }: Names, isUndated: boolean): string {
  const command = [family.name.replaceAll('_', '-'), ...(part === undefined ? [] : [part]), verb].join(' ');
  if (verb === 'list' && part === undefined) return `${command} ${isUndated ? '--last 30d' : '--limit 50'}`;
  if (WITHOUT_ID.has(verb)) return part === undefined ? command : `${command} ${family.exampleId ?? ''}`.trim();
  return [command, family.exampleId ?? '', ...(part === undefined ? [] : [family.examplePart ?? ''])].join(' ').trim();
}

function usualPermission({ family, verb, part }: Names, isRead: boolean): string | undefined {
  if (part !== undefined) return undefined;
  const resource = singularOf(family.name);
  const allowed: readonly string[] = Object.hasOwn(PERMISSIONS, resource)
    ? PERMISSIONS[resource as keyof typeof PERMISSIONS]
    : [];
  const wanted = isRead ? 'retrieve' : verb.replaceAll('-', '_');
  return allowed.includes(wanted) ? `${resource}:${wanted}` : undefined;
}

const SENTENCES: Readonly<Record<string, string>> = {
  edit: 'Send only what changes.',
  delete: 'Deletion cannot be undone.',
};

const USUAL_LISTS: Readonly<Record<Family['nature'], List>> = {
  'set-up': { style: 'paged' },
  people: { style: 'windowed', spanDays: 90 },
  event: { style: 'windowed', spanDays: 90 },
};

function usualOf(names: Names, isUndated: boolean): Usual {
  const { family, verb, part } = names;
  const isRead = READS.has(verb);
  return {
    method: isRead ? 'GET' : 'POST',
    path: usualPath(names),
    operationId: usualOperationId(names),
    summary: usualSummary(names),
    risk: isRead
      ? 'read'
      : verb === 'delete'
        ? 'irreversible'
        : ((part === undefined ? family.risk : undefined) ??
          (verb === 'create' || verb === 'edit' ? 'write' : undefined)),
    ...(verb === 'list' && part === undefined && { list: USUAL_LISTS[family.nature] }),
    ...(verb === 'search' && { list: { style: 'search' }, query: { search_term: searchTerm } }),
    ...(family.idField === 'key' && !WITHOUT_ID.has(verb) && { params: { key: 'key' } }),
    ...(!isRead && part === undefined && family.idField === undefined && { answerId: `${singularOf(family.name)}_id` }),
    permission: usualPermission(names, isRead),
    example: usualExample(names, isUndated),
    evidence: family.evidence ?? 'published',
  };
}

function bodyOf(
  family: FamilySpec,
  { asCreate = false, closed = false, complete = false, fields = {} }: BodySpec,
): Body {
  if (!asCreate) return { closed, complete, fields };
  const created = family.operations.create?.body?.fields ?? {};
  const optional = Object.entries(created).map(([name, { required: _, ...field }]) => [name, field]);
  return { closed, complete, fields: { ...Object.fromEntries(optional), ...fields } };
}

const UNDATED = 'It is not documented whether this list takes dates: `--no-range` sends the request without them.';

/** An undocumented body of which reads show some fields. An edit of such a body takes what the create takes. */
function isUnseen({ body, assumed, further }: OperationSpec): boolean {
  const { complete, fields = {}, asCreate } = body ?? {};
  return Boolean(assumed ?? further) && !complete && !asCreate && Object.keys(fields).length === 0;
}

function rulesOf(action: string, spec: OperationSpec, verb: string, evidence: Told<Operation>['evidence']): string[] {
  const { complete, asCreate = false, fields = {} } = spec.body ?? {};
  const hasMore = complete !== true && (asCreate || Object.keys(fields).length > 0);
  const usual = action.includes(' ') && verb === 'edit' ? undefined : SENTENCES[verb];
  return [
    ...(usual === undefined || (verb === 'edit' && isUnseen(spec)) ? [] : [usual]),
    ...(spec.rules ?? []),
    ...(spec.list?.datesUnproven ? [UNDATED] : []),
    ...(isUnseen(spec) ? ['The body fields are not documented: any field is passed on with a note.'] : []),
    ...(hasMore ? ['More body fields exist; they are not documented.'] : []),
    ...(evidence === 'convention' ? ['Built from the naming convention; it is not documented.'] : []),
  ];
}

function operationOf(family: FamilySpec, action: string, own: OperationSpec, families: ReadonlySet<string>): Operation {
  const { assumed, further, noOther } = family.operations.create ?? {};
  const isTwin = action === 'edit' && own.assumed === undefined && isUnseen({ body: own.body, assumed, further });
  const spec = isTwin ? { ...own, assumed, further, noOther } : own;
  const names = namesOf(family, action);
  const { body, columns, related, ...told } = spec;
  const preview = names.verb === 'delete' && !('preview' in spec) ? deletePreview : spec.preview;
  const all = {
    ...usualOf(names, spec.list?.datesUnproven === true),
    action,
    ...told,
    preview: preview && previewOf(preview),
    columns: columns && columnsOf(columns),
    ...(body && { body: bodyOf(family, body) }),
    related: related && alongOf(family.name, related, families),
  };
  const kept = Object.entries({ ...all, rules: rulesOf(action, spec, names.verb, all.evidence) });
  // The build checks find anything missing here.
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as unknown as Operation;
}

/**
 * A field has its effect in every body of the family: most bodies are only partly documented, and `api` sends anything.
 */
function withBrought(operations: readonly Operation[]): readonly Operation[] {
  const brings: Record<string, Brings> = {};
  for (const { body, assumed } of operations)
    for (const [name, field] of Object.entries({ ...body?.fields, ...assumed }))
      if (field.brings) brings[name] = field.brings;
  if (Object.keys(brings).length === 0) return operations;
  return operations.map((operation) => (operation.method === 'POST' ? { ...operation, brings } : operation));
}

/** Words for a family in the service's field names that differ from the family's own name. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  shop: 'user_shops',
  third_party_shop: 'user_shops',
  third_party_integration: 'user_third_party_integrations',
  gateway: 'user_gateways',
  filter_function: 'functions',
  pre_agent_function: 'functions',
  fulfillment_center: 'site_fulfillment_centers',
  provider: 'site_shipping_providers',
  shipping_provider: 'site_shipping_providers',
  create_non_existing_customer_campaign: 'campaigns',
  last_renewal: 'subscription_renewals',
  payment_method: 'customer_cards',
};

/** Names that sound like a family but are not: metadata pairs, and a filter with a closed set of words. */
const NO_REFERENCES: ReadonlySet<string> = new Set(['metadata', 'metadata_filter', 'shipping_provider_filter']);

/**
 * The family that the name of a field, query parameter or path placeholder refers to: `customer_id`, `sales` and
 * `campaign_filter` refer to `customers`, `sales` and `campaigns`. Undefined when it refers to none.
 */
export function spokenFamily(name: string, families: ReadonlySet<string>): string | undefined {
  if (NO_REFERENCES.has(name)) return undefined;
  const stem = name.replace(/_(?:filter|id)$/, '');
  if (Object.hasOwn(OTHER_WORDS, stem)) return OTHER_WORDS[stem];
  return [stem, `${stem}s`, stem.replace(/y$/, 'ies')].find((word) => families.has(word));
}

const REFERRING: ReadonlySet<string> = new Set(['string', 'array', 'object', 'any']);

/** An id, a list of ids, an object that holds one, or a value of unknown shape: any of these may name an item. */
function mayRefer(field: Field): boolean {
  if (!REFERRING.has(field.type)) return false;
  const { items } = field;
  if (items !== undefined) return mayRefer(items) && items.enum === undefined;
  if (field.enum !== undefined) return false;
  return field.fields === undefined || Object.hasOwn(field.fields, 'id') || Object.keys(field.fields).length === 0;
}

/** The same fields with `refers` filled in wherever the name implies a family. */
function referringFields(fields: Fields, families: ReadonlySet<string>): Fields {
  return mapValues(fields, (field, name) => referringField(name, field, families));
}

function referringField(name: string, field: Field, families: ReadonlySet<string>): Field {
  const spoken = field.refers === undefined && mayRefer(field) ? spokenFamily(name, families) : undefined;
  return {
    ...field,
    ...(spoken && { refers: [spoken] }),
    ...(field.fields && { fields: referringFields(field.fields, families) }),
    ...(field.items && { items: referringField('', field.items, families) }),
  };
}

type Fields = Readonly<Record<string, Field>>;

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

function referringQuery(name: string, field: QueryField, families: ReadonlySet<string>): QueryField {
  const spoken = field.refers === undefined && field.type === 'string' ? spokenFamily(name, families) : undefined;
  return spoken && !field.enum ? { ...field, refers: [spoken] } : field;
}

function referringOperation(operation: Operation, families: ReadonlySet<string>): Operation {
  const { query, body, assumed, further } = operation;
  return {
    ...operation,
    ...(query && { query: mapValues(query, (field, name) => referringQuery(name, field, families)) }),
    ...(body && { body: { ...body, fields: referringFields(body.fields, families) } }),
    ...(assumed && { assumed: referringFields(assumed, families) }),
    ...(further && { further: referringFields(further, families) }),
  };
}

/**
 * The family with `refers` filled in wherever a name implies the family of its value.
 * @param families the names of all families
 */
function withReferences(family: Family, families: ReadonlySet<string>): Family {
  return {
    ...family,
    ...(family.item && { item: referringFields(family.item, families) }),
    ...(family.assumed && { assumed: referringFields(family.assumed, families) }),
    operations: family.operations.map((operation) => referringOperation(operation, families)),
  };
}

/** The relations of a family's items by word, without the family itself, in the order of help and sections. */
function alongOf(
  own: string,
  words: readonly RelationWord[],
  families: ReadonlySet<string>,
): Readonly<Record<string, Relation>> {
  const relations = words.map((word): [string, Relation] => {
    const from = word in RELATION_PLACES ? RELATION_PLACES[word as keyof typeof RELATION_PLACES] : [word];
    const [first = word] = from;
    const family = spokenFamily(first.replace(/\.id$/, ''), families) ?? word;
    return [word, { family, from, one: /[._]id$/.test(first) || undefined, newest: NEWEST_PLACE[word] }];
  });
  return Object.fromEntries(relations.filter(([, { family }]) => family !== own));
}

/**
 * Builds the whole family from its file: operations by convention, and the family that each id refers to.
 * @param families the names of all families
 */
export function resolveFamily(spec: FamilySpec, families: ReadonlySet<string>): Family {
  const {
    one: _one,
    exampleId: _exampleId,
    examplePart: _examplePart,
    evidence: _evidence,
    idField = 'id',
    columns,
    operations,
    risk: _risk,
    ...rest
  } = spec;
  const { keys = spec.nature === 'set-up' && spec.item?.name && idField === 'id' ? [UNPROVEN_NAME] : [] } = spec;
  const resolved = withBrought(
    Object.entries(operations).map(([action, operation]) => operationOf(spec, action, operation, families)),
  );
  return withReferences({ ...rest, columns: columnsOf(columns), idField, keys, operations: resolved }, families);
}
