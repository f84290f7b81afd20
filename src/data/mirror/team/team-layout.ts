import { createHash } from 'node:crypto';
import { each } from '../../../catalogue/fields.js';
import type { Family } from '../../../catalogue/types.js';
import { schemaOf } from '../../../items/schema/catalogue.js';
import { isMoneyName } from '../../../items/schema/learn.js';
import { leavesOf, type SchemaField } from '../../../items/schema/types.js';
import { sqlName } from '../layout.js';

/** Version of the tables below. */
export const TEAM_LAYOUT = 1;

/** The type of a column in the team's mirror. */
export type TeamType = 'text' | 'numeric' | 'boolean' | 'timestamptz' | 'text[]';

/** A column of a family's table in the team's mirror, besides the mirror's own. */
export interface TeamColumn {
  /** Its name in the SQLite mirror. */
  readonly name: string;
  /** Its name in PostgreSQL. */
  readonly stored: string;
  readonly type: TeamType;
}

/** The mirror's own columns of a family's table. */
export const OWN_COLUMNS = ['id', 'data', 'seen_at', 'gone_at', '_window', '_change'] as const;

/** The most bytes of a name that PostgreSQL keeps whole. */
const LONGEST_NAME = 63;

/** A name as PostgreSQL keeps it: a longer one is cut, and made unique by a hash of the whole. */
export function storedName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  let cut = name;
  while (Buffer.byteLength(cut) > LONGEST_NAME - hash.length - 1) cut = cut.slice(0, -1);
  return `${cut}_${hash}`;
}

/** A string literal for a statement, whatever the settings of the server. */
export function literal(text: string): string {
  const inner = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${inner.replaceAll('\\', '\\\\')}'` : `'${inner}'`;
}

/** The name of a table in the mirror's schema. */
export function inSchema(schema: string, name: string): string {
  return `${sqlName(schema)}.${sqlName(storedName(name))}`;
}

/** The tables of a schema besides those of the families, and the function that reads an item on the PostgreSQL side. */
export function teamTables(schema: string): string {
  const at = (name: string): string => inSchema(schema, name);
  return `
CREATE TABLE ${at('_state')} (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  identity uuid NOT NULL DEFAULT gen_random_uuid(),
  layout integer NOT NULL,
  tool text NOT NULL,
  service text NOT NULL,
  mode text NOT NULL,
  change bigint NOT NULL DEFAULT 0,
  first_day bigint,
  as_of bigint,
  holder text,
  epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz
);
CREATE TABLE ${at('_keys')} (fingerprint text PRIMARY KEY, proven_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE ${at('_tables')} (family text PRIMARY KEY, change bigint NOT NULL);
CREATE TABLE ${at('_families')} (
  family text PRIMARY KEY, state text NOT NULL, why text, start bigint, span bigint, read_at bigint NOT NULL,
  runs bigint NOT NULL, added bigint NOT NULL, changed bigint NOT NULL, gone bigint NOT NULL, first_look bigint, _change bigint NOT NULL
);
CREATE TABLE ${at('_windows')} (
  family text NOT NULL, start bigint NOT NULL, until bigint, read_at bigint NOT NULL, items bigint NOT NULL,
  unproven text, _change bigint NOT NULL, PRIMARY KEY (family, start)
);
CREATE TABLE ${at('_columns')} (
  family text NOT NULL, path text NOT NULL, name text NOT NULL, minor text, _change bigint NOT NULL,
  PRIMARY KEY (family, path)
);
CREATE TABLE ${at('_fields')} (
  family text NOT NULL, place integer NOT NULL, name text NOT NULL, stored text NOT NULL, type text NOT NULL,
  PRIMARY KEY (family, name)
);
CREATE TABLE ${at('_history')} (
  family text NOT NULL, id text NOT NULL, seen_at bigint NOT NULL, until_at bigint NOT NULL, is_gone boolean NOT NULL,
  data text NOT NULL, _change bigint NOT NULL
);
CREATE INDEX ON ${at('_history')} (family, id, seen_at);
CREATE INDEX ON ${at('_history')} (_change);
CREATE TABLE ${at('_unfit')} (
  family text NOT NULL, id text NOT NULL, name text NOT NULL, PRIMARY KEY (family, id, name)
);
${closesTable(schema)}
COMMENT ON TABLE ${at('_state')} IS 'Whose data this is, as of when, and who writes it';
COMMENT ON COLUMN ${at('_state')}.change IS 'The number of the last transaction: rows carry that of theirs';
COMMENT ON TABLE ${at('_families')} IS 'Each list: whether it is proven complete, and when it was read';
COMMENT ON TABLE ${at('_windows')} IS 'Each window of a list: when it was read, and what it held';
COMMENT ON TABLE ${at('_history')} IS 'States that items no longer have; seconds since 1970';
COMMENT ON TABLE ${at('_unfit')} IS 'Values that do not fit the type of their column, and are NULL there';
CREATE FUNCTION ${at('as_jsonb')}(data text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN data::jsonb;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;
COMMENT ON FUNCTION ${at('as_jsonb')}(text) IS 'The text as jsonb; NULL where PostgreSQL cannot read it (\\u0000)';
`;
}

/** The record of locked months; mirrors made by an earlier version get it with their first shared lock. */
export function closesTable(schema: string): string {
  const table = inSchema(schema, '_closes');
  return `CREATE TABLE ${table} (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line text NOT NULL, file bytea);
COMMENT ON TABLE ${table} IS 'Each lock and unlock of a month, and the file of the lock';`;
}

/** The table of a family, without the columns for its items' fields. */
export function familyTable(schema: string, family: string): string {
  const table = inSchema(schema, `raw_${family}`);
  return (
    `CREATE TABLE IF NOT EXISTS ${table} (id text PRIMARY KEY, data text NOT NULL, seen_at timestamptz NOT NULL, ` +
    `gone_at timestamptz, _window bigint NOT NULL, _change bigint NOT NULL) ` +
    // Items of usual size are stored with their columns, without spending time on compression.
    'WITH (toast_tuple_target = 8160); ' +
    `CREATE INDEX IF NOT EXISTS ${sqlName(storedName(`_change_${family}`))} ON ${table} (_change); ` +
    `COMMENT ON COLUMN ${table}.data IS 'The item as it came'; ` +
    `COMMENT ON COLUMN ${table}.seen_at IS 'When this state was seen first'; ` +
    `COMMENT ON COLUMN ${table}.gone_at IS 'When the service no longer listed the item; NULL for one that is there'`
  );
}

/** The catalogue's types for the columns of a family, by the dotted paths of its items. */
export function catalogueTypes(family: Family): ReadonlyMap<string, TeamType> {
  return new Map(
    leavesOf(schemaOf(family)).flatMap(({ path, field }) => {
      const type = typeOf(field);
      return type === undefined ? [] : [[path, type] as const];
    }),
  );
}

const TYPES_OF_TEAM: Readonly<Record<Exclude<SchemaField['type'], 'list'>, TeamType | undefined>> = {
  boolean: 'boolean',
  ...each('numeric', 'integer decimal'),
  timestamp: 'timestamptz',
  ...each('text', 'id text json object'),
  empty: undefined,
};

function typeOf(field: SchemaField): TeamType | undefined {
  const { type, element } = field;
  if (type === 'list') return element?.type === 'id' || element?.type === 'text' ? 'text[]' : 'text';
  return TYPES_OF_TEAM[type];
}

/** The type of a column that the catalogue does not know, from its first value, else from its name. */
export function guessedType(name: string, value: unknown): TeamType {
  if (typeof value === 'number' || typeof value === 'bigint') return /_unix$/.test(name) ? 'timestamptz' : 'numeric';
  if (value !== null && value !== undefined) return 'text';
  if (/_unix$/.test(name)) return 'timestamptz';
  return /_minor$/.test(name) || isMoneyName(name) ? 'numeric' : 'text';
}

/** Converts a value of the SQLite mirror to the text form of COPY; undefined for one that does not fit the type. */
export function copyCell(value: unknown, type: TeamType): string | undefined {
  if (value === null || value === undefined) return '\\N';
  if (type === 'text') return copyText(String(value));
  if (type === 'numeric') return typeof value === 'string' && !NUMBER.test(value) ? undefined : String(value);
  if (type === 'boolean') return value === 1n || value === 1 ? 't' : value === 0n || value === 0 ? 'f' : undefined;
  return type === 'timestamptz' ? moment(value) : textArray(value);
}

const NUMBER = /^-?\d{1,1000}(\.\d{1,1000})?([eE][-+]?\d{1,3})?$/;
/** Seconds of the years that both sides write with four digits. */
const YEARS = { first: -62_135_596_800, last: 253_402_300_799 };

function moment(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const isIso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[-+]\d\d(:?\d\d)?)$/.test(value);
    return isIso && !Number.isNaN(Date.parse(value)) ? value : undefined;
  }
  const seconds = Number(value);
  if (!Number.isInteger(seconds) || seconds < YEARS.first || seconds > YEARS.last) return undefined;
  return new Date(seconds * 1000).toISOString();
}

function textArray(value: unknown): string | undefined {
  let list: unknown;
  try {
    list = typeof value === 'string' ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) return undefined;
  const parts = list.map((one) => `"${one.replace(/[\\"]/g, '\\$&')}"`);
  return copyText(`{${parts.join(',')}}`);
}

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text in the form of COPY; undefined if it contains the character that PostgreSQL cannot store. */
export function copyText(text: string): string | undefined {
  if (text.includes('\0')) return undefined;
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (one) => ESCAPES[one] as string) : text;
}

const MEANT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** The cells of a COPY line, without the line end. */
export function cellsOfCopy(line: string): (string | null)[] {
  return line.split('\t').map((cell) => {
    if (cell === '\\N') return null;
    return cell.includes('\\') ? cell.replace(/\\(.)/g, (_, one: string) => MEANT[one] ?? one) : cell;
  });
}
