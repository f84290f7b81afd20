import { bodyFields, byUse, isOpenBody, isOpenObject, typeName } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { isSecretPath } from '../secrets/secret-fields.js';

/** One row of a help page about a body. */
export type FieldRow = ReturnType<typeof row>;

/** Every known field of an operation's body, parents before their parts, common and required ones first. */
export function describeFields(operation: Operation): FieldRow[] {
  const rows: FieldRow[] = [];
  const step = (_name: string, field: Field, path: string, parts: readonly (string | number)[]): void => {
    rows.push(row(operation, field, path, parts));
    let inner: Field = field;
    let at = path;
    const place = [...parts];
    while (inner.type === 'array' && inner.items) {
      inner = inner.items;
      at += '[]';
      place.push(0);
    }
    for (const [member, below] of byUse(inner.fields ?? {})) step(member, below, `${at}.${member}`, [...place, member]);
  };
  for (const [name, field] of byUse(bodyFields(operation))) step(name, field, name, [name]);
  return rows;
}

/** What help says below the rows of a body that is not fully known; otherwise empty. */
export function bodyRemark(operation: Operation): string {
  if (operation.method === 'GET') return '';
  if (!operation.body || (isOpenBody(operation) && Object.keys(operation.body.fields).length === 0))
    return 'The fields of this body are not documented: any field is sent as given, with a note.';
  if (isOpenBody(operation)) return 'More fields may exist: unknown ones are sent as given, with a note.';
  return Object.keys(operation.body.fields).length === 0 ? 'No fields.' : '';
}

const row = (operation: Operation, field: Field, path: string, parts: readonly (string | number)[]) => ({
  /** `rates[].qualifiers.countries[].iso_code`. */
  path,
  /** `text`, `a list of ids`, ... */
  type: typeText(field),
  required: field.required === true,
  secret: isSecretPath(operation, parts),
  /** Lengths and bounds in words; empty without any. */
  limits: limitsOf(field),
  /** Allowed values; empty if any value is. */
  values: field.enum ?? field.items?.enum ?? [],
  note: [field.note, field.default === undefined ? undefined : `Default ${JSON.stringify(field.default)}.`]
    .filter((text) => text !== undefined)
    .join(' '),
});

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  id: 'id (20 characters)',
  email: 'e-mail address',
  'date-time': 'date and time (ISO 8601)',
  unix: 'unix seconds',
  country: 'country (ISO 3166-1 alpha-3)',
  currency: 'currency (ISO 4217)',
  url: 'web address',
  ipv4: 'IPv4 address',
  timezone: 'time zone (IANA)',
  cron: 'cron expression (five parts)',
  digits: 'digits',
  code: 'letters and digits',
};

function typeText(field: Field): string {
  if (field.type === 'array') return field.items ? `list of ${typeText(field.items)}` : 'list';
  const base = field.format ? (FORMAT_NAMES[field.format] ?? field.format) : plain(field);
  return field.nullable ? `${base} or null` : base;
}

function plain(field: Field): string {
  if (field.type === 'object') return isOpenObject(field) ? 'object (more fields may exist)' : 'object';
  return typeName(field.type).replace(/^an? /, '');
}

function limitsOf(field: Field): string {
  const parts: string[] = [];
  const span = (min: number | undefined, max: number | undefined, unit: string): void => {
    if (min !== undefined && max !== undefined) parts.push(min === max ? `${min}${unit}` : `${min} to ${max}${unit}`);
    else if (min !== undefined) parts.push(`at least ${min}${unit}`);
    else if (max !== undefined) parts.push(`at most ${max}${unit}`);
  };
  span(field.minLength, field.maxLength, ' characters');
  span(field.min, field.max, '');
  span(field.minItems, field.maxItems, ' elements');
  return parts.join(', ');
}
