import { PLACE_FUNCTIONS, WRITE_FUNCTIONS } from './team-functions.js';

/** The schema version that this program creates, and needs for writes. */
export const LEDGER_VERSION = 3;
/** The schema version for which this program writes. It does not write to a ledger that requires a later one. */
export const WRITER_VERSION = 3;

/** SQLSTATE of refusals by the functions themselves. */
export const REFUSED_VERSION = 'CO001';

export const ROLES = ['cops_owner', 'cops_member', 'cops_policy', 'cops_reader'] as const;

/** `$` stands for the schema. Every name includes it, because a pooler keeps no search path. */
const TABLES = `
CREATE TABLE $.ledger (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  base_url text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  items jsonb NOT NULL,
  version int NOT NULL,
  least_writer int NOT NULL,
  lease_ms bigint NOT NULL DEFAULT 30000,
  settle_ms int NOT NULL DEFAULT 60000,
  created timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE $.ledger IS 'The account and mode that this ledger is of';
CREATE TABLE $.credential (
  fingerprint text PRIMARY KEY,
  at timestamptz NOT NULL,
  user_name text NOT NULL
);
COMMENT ON TABLE $.credential IS 'Keys that were shown to read the items of the ledger';
CREATE TABLE $.process (
  id uuid PRIMARY KEY,
  user_name text NOT NULL,
  machine text NOT NULL,
  pid int NOT NULL,
  began timestamptz NOT NULL,
  lease_until timestamptz NOT NULL
);
COMMENT ON TABLE $.process IS 'Who writes, and until when it may without being heard of; the machine is what it claims';
CREATE TABLE $.run (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  equal text,
  at timestamptz NOT NULL,
  user_name text NOT NULL,
  machine text NOT NULL,
  epoch int NOT NULL,
  holder uuid,
  timeout_ms int NOT NULL,
  -- What older epochs sent is over by then.
  over_at timestamptz,
  lines int NOT NULL DEFAULT 0
);
COMMENT ON TABLE $.run IS 'Bulk runs, with who holds each';
CREATE INDEX run_equal ON $.run (equal, at);
CREATE TABLE $.line (
  run text NOT NULL REFERENCES $.run ON DELETE CASCADE,
  n int NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (run, n)
);
COMMENT ON TABLE $.line IS 'The journals of bulk runs, line by line';
CREATE TABLE $.intent (
  n bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  id text PRIMARY KEY,
  tag text NOT NULL,
  at timestamptz NOT NULL,
  user_name text NOT NULL,
  process uuid NOT NULL,
  machine text NOT NULL,
  pid int NOT NULL,
  profile text NOT NULL,
  credential text NOT NULL,
  operation text NOT NULL,
  ids jsonb NOT NULL,
  key text,
  run text,
  who text,
  also jsonb,
  reason text,
  amount numeric,
  currency text,
  -- False for one that was refused: it has no part in its guard.
  guarded boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'done', 'not_done'))
);
COMMENT ON TABLE $.intent IS 'Writes before they leave; user_name is what the server says, machine what is claimed';
CREATE INDEX intent_at ON $.intent (at);
CREATE INDEX intent_key ON $.intent (key) WHERE key IS NOT NULL;
CREATE INDEX intent_run ON $.intent (run) WHERE run IS NOT NULL;
CREATE INDEX intent_open ON $.intent (tag) WHERE state = 'open';
CREATE TABLE $.outcome (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  intent text NOT NULL REFERENCES $.intent,
  once text NOT NULL UNIQUE,
  at timestamptz NOT NULL,
  user_name text NOT NULL,
  said_by text NOT NULL CHECK (said_by IN ('service', 'person')),
  outcome text NOT NULL,
  facts jsonb NOT NULL
);
COMMENT ON TABLE $.outcome IS 'How writes ended: appended, never replaced';
CREATE INDEX outcome_intent ON $.outcome (intent, n);
CREATE TABLE $.guard (
  tag text PRIMARY KEY,
  intent text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'closed')),
  opened int NOT NULL,
  finished_at timestamptz,
  done text
);
COMMENT ON TABLE $.guard IS 'One row a write: who has it, and when it was done last';
CREATE TABLE $.pace (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  next double precision NOT NULL,
  rate double precision NOT NULL,
  until double precision NOT NULL
);
COMMENT ON TABLE $.pace IS 'When the next request may leave, milliseconds';
CREATE TABLE $.policy (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  user_name text NOT NULL DEFAULT session_user,
  rules text NOT NULL
);
COMMENT ON TABLE $.policy IS 'The rules of the team; the last row holds, beside those of each machine';
`;

/** What each version changes in the tables of the one before it. */
const CHANGES: Readonly<Record<number, string>> = {
  2: 'CREATE INDEX IF NOT EXISTS intent_key ON $.intent (key) WHERE key IS NOT NULL',
};

/** What members and readers may do: read; functions that run as the owner do everything else. */
const RIGHTS = `
REVOKE ALL ON SCHEMA $ FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA $ FROM PUBLIC;
GRANT USAGE ON SCHEMA $ TO cops_member, cops_policy, cops_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA $ TO cops_member, cops_policy, cops_reader;
GRANT EXECUTE ON FUNCTION $.clock TO cops_member, cops_policy, cops_reader;
GRANT EXECUTE ON FUNCTION $.enter, $.beat, $.leave, $.trust, $.begin_run, $.claim_input, $.take_run, $.drop_run,
  $.take_turns, $.pause_turns, $.act, $.settle TO cops_member;
GRANT INSERT (rules) ON $.policy TO cops_policy;
`;

/** The name of a schema as SQL takes it. */
export function quotedName(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}

/** SQL with the schema instead of `$.` and `SCHEMA $`. */
export function inLedger(sql: string, schema: string): string {
  const name = quotedName(schema);
  return sql.replaceAll('$.', () => `${name}.`).replaceAll(/\bSCHEMA \$(?=[\s;])/g, () => `SCHEMA ${name}`);
}

const FUNCTIONS = `${PLACE_FUNCTIONS}\n${WRITE_FUNCTIONS}\n${RIGHTS}`;

/** The statements that turn an empty schema into a ledger, run by a member of `cops_owner`. */
export function ledgerSql(schema: string): string {
  return inLedger(`${TABLES}\n${FUNCTIONS}`, schema);
}

/** The statements that upgrade an older ledger to this version: they recreate its functions. */
export function migrationSql(schema: string, before: number): string {
  const changes = Object.entries(CHANGES).flatMap(([version, sql]) => (Number(version) > before ? [sql] : []));
  const drop = `DO $do$ DECLARE f regprocedure; BEGIN
    FOR f IN SELECT oid FROM pg_proc WHERE pronamespace = '${quotedName(schema)}'::regnamespace
    LOOP EXECUTE 'DROP FUNCTION ' || f; END LOOP; END $do$`;
  return [drop, inLedger([...changes, FUNCTIONS].join(';\n'), schema)].join(';\n');
}
