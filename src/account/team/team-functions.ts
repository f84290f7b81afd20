/*
 * The functions that change the ledger, run by PostgreSQL. Each runs as the owner of the schema; the caller is
 * `session_user`. All times are those of `clock()`. `$.` stands for the schema.
 */

const DEFINED = 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp';

/** Clock, processes and their leases, runs and who holds them, pace. */
export const PLACE_FUNCTIONS = `
CREATE FUNCTION $.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT pg_catalog.clock_timestamp()';

CREATE FUNCTION $.may_write(v int) RETURNS void LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE least int;
BEGIN
  -- What is told as recorded survives the machine, whatever the server's setting is.
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT least_writer INTO least FROM $.ledger;
  IF v < least THEN
    RAISE EXCEPTION 'this ledger is written by version % and later', least USING ERRCODE = 'CO001';
  END IF;
END $body$;

CREATE FUNCTION $.enter(v int, p uuid, claimed text, number int) RETURNS void LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE t timestamptz := $.clock();
BEGIN
  PERFORM $.may_write(v);
  DELETE FROM $.process q WHERE q.lease_until < t - interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM $.run r WHERE r.holder = q.id);
  INSERT INTO $.process SELECT p, session_user, claimed, number, t, t + lease_ms * interval '1 ms' FROM $.ledger
    ON CONFLICT (id) DO NOTHING;
END $body$;

-- A lease that ran out is never renewed: whoever saw it end may have gone on in its place.
CREATE FUNCTION $.beat(p uuid) RETURNS boolean LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE t timestamptz := $.clock();
BEGIN
  UPDATE $.process SET lease_until = t + l.lease_ms * interval '1 ms' FROM $.ledger l
    WHERE process.id = p AND user_name = session_user AND lease_until > t;
  RETURN FOUND;
END $body$;

CREATE FUNCTION $.leave(p uuid) RETURNS void LANGUAGE sql ${DEFINED} AS $body$
  UPDATE $.process SET lease_until = least(lease_until, $.clock()) WHERE id = p AND user_name = session_user;
$body$;

CREATE FUNCTION $.trust(print text) RETURNS void LANGUAGE sql ${DEFINED} AS $body$
  INSERT INTO $.credential VALUES (print, $.clock(), session_user) ON CONFLICT DO NOTHING;
$body$;

-- A run is as old as the command that began it: what others did since then, it does not do once more.
CREATE FUNCTION $.begin_run(v int, p uuid, run_id text, called text, timeout int, header text, since double precision)
RETURNS boolean LANGUAGE plpgsql ${DEFINED} AS $body$
BEGIN
  PERFORM $.may_write(v);
  INSERT INTO $.run (id, name, at, user_name, machine, epoch, holder, timeout_ms, lines)
    SELECT run_id, called, least($.clock(), to_timestamp(since / 1000)), session_user, q.machine, 1, p, timeout, 1 FROM $.process q WHERE q.id = p
    ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO $.line VALUES (run_id, 1, header);
  RETURN true;
END $body$;

-- The run of a digest that began within 30 days; without one, the own run has the digest from here on.
CREATE FUNCTION $.claim_input(digest text, called text, again boolean) RETURNS text
LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE other text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('$.' || digest, 0));
  IF NOT again THEN
    SELECT name INTO other FROM $.run WHERE equal = digest AND at > $.clock() - interval '30 days' AND name <> called
      ORDER BY at DESC LIMIT 1;
  END IF;
  IF other IS NULL THEN UPDATE $.run SET equal = digest WHERE name = called;
  -- Nothing of it was sent, nor will be.
  ELSE DELETE FROM $.run WHERE name = called AND lines = 1; END IF;
  RETURN other;
END $body$;

-- Takes a run that nobody holds. Who holds it otherwise, and for how long; or the new epoch.
CREATE FUNCTION $.take_run(v int, p uuid, run_id text, timeout int, line text) RETURNS jsonb
LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE t timestamptz := $.clock(); r $.run; q $.process; settle interval;
BEGIN
  PERFORM $.may_write(v);
  SELECT settle_ms * interval '1 ms' INTO settle FROM $.ledger;
  SELECT * INTO r FROM $.run WHERE id = run_id FOR UPDATE;
  SELECT * INTO q FROM $.process WHERE id = r.holder;
  IF q.lease_until > t THEN
    RETURN jsonb_build_object('held', jsonb_build_object('user', q.user_name, 'machine', q.machine,
      'ms', ceil(extract(epoch FROM q.lease_until - t) * 1000)));
  END IF;
  IF r.holder IS NOT NULL THEN
    r.over_at := greatest(r.over_at, coalesce(q.lease_until, t) + r.timeout_ms * interval '1 ms' + settle);
  END IF;
  UPDATE $.run SET epoch = r.epoch + 1, holder = p, timeout_ms = timeout, over_at = r.over_at, lines = r.lines + 1
    WHERE id = run_id;
  INSERT INTO $.line VALUES (run_id, r.lines + 1, line);
  RETURN jsonb_build_object('epoch', r.epoch + 1,
    'over', greatest(0, ceil(extract(epoch FROM coalesce(r.over_at, t) - t) * 1000)));
END $body$;

CREATE FUNCTION $.drop_run(p uuid, run_id text, in_flight boolean) RETURNS void LANGUAGE sql ${DEFINED} AS $body$
  UPDATE $.run SET holder = NULL,
      over_at = CASE WHEN in_flight THEN greatest(over_at, $.clock() + timeout_ms * interval '1 ms'
        + (SELECT settle_ms FROM $.ledger) * interval '1 ms') ELSE over_at END
    WHERE id = run_id AND holder = p;
$body$;

-- Takes the next turns: how long until each begins, milliseconds. At most 50 ms of turns are taken at once.
CREATE FUNCTION $.take_turns(wanted int, own double precision) RETURNS double precision[]
LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE k $.pace; t double precision; slowest double precision; spacing double precision; most int;
  first double precision; after double precision;
BEGIN
  INSERT INTO $.pace VALUES (true, 0, own, 0) ON CONFLICT DO NOTHING;
  SELECT * INTO k FROM $.pace FOR UPDATE;
  t := extract(epoch FROM $.clock()) * 1000;
  slowest := CASE WHEN k.until > t THEN least(own, k.rate) ELSE own END;
  spacing := 1000 / slowest;
  most := greatest(1, least(wanted, floor(50 / spacing)::int));
  first := greatest(t, k.next);
  after := first + most * spacing;
  UPDATE $.pace SET next = after, rate = slowest,
    until = CASE WHEN own <= slowest THEN after + greatest(2000, 2 * spacing) ELSE until END;
  RETURN ARRAY(SELECT first - t + i * spacing FROM generate_series(0, most - 1) i);
END $body$;

CREATE FUNCTION $.pause_turns(ms double precision, own double precision) RETURNS void
LANGUAGE sql ${DEFINED} AS $body$
  INSERT INTO $.pace VALUES (true, extract(epoch FROM $.clock()) * 1000 + ms, own, 0)
  ON CONFLICT (one) DO UPDATE SET next = greatest(pace.next, excluded.next);
$body$;
`;

/** What becomes of writes. */
export const WRITE_FUNCTIONS = `
CREATE FUNCTION $.told(intent_id text) RETURNS jsonb LANGUAGE sql VOLATILE AS $body$
  SELECT jsonb_build_object('id', i.id, 'at', to_char(i.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'user', i.user_name, 'machine', i.machine, 'pid', i.pid, 'state', i.state,
    'running', i.state = 'open' AND o.n IS NULL AND coalesce(q.lease_until > $.clock(), false),
    'outcome', o.outcome, 'settles', o.facts ->> 'settles',
    'finished', to_char(o.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM $.intent i LEFT JOIN $.process q ON q.id = i.process
    LEFT JOIN LATERAL (SELECT * FROM $.outcome WHERE intent = i.id ORDER BY n DESC LIMIT 1) o ON true
  WHERE i.id = intent_id;
$body$;

CREATE FUNCTION $.note_intent(op jsonb, p uuid, guards boolean) RETURNS bigint
LANGUAGE plpgsql AS $body$
DECLARE number bigint;
BEGIN
  INSERT INTO $.intent (id, tag, at, user_name, process, machine, pid, profile, credential, operation, ids, key, run,
      who, also, reason, amount, currency, guarded, state)
    SELECT op ->> 'id', op ->> 'tag', $.clock(), session_user, q.id, q.machine, q.pid, op ->> 'profile',
      op ->> 'credential', op ->> 'operation', op -> 'ids', op ->> 'key', op ->> 'run', op ->> 'who', op -> 'also',
      op ->> 'reason', (op ->> 'amount')::numeric, op ->> 'currency', guards,
      CASE WHEN guards THEN 'open' ELSE 'not_done' END
    FROM $.process q WHERE q.id = p
    ON CONFLICT (id) DO NOTHING RETURNING n INTO number;
  IF number IS NOT NULL AND NOT guards THEN
    INSERT INTO $.outcome (intent, once, at, user_name, said_by, outcome, facts)
      VALUES (op ->> 'id', op ->> 'id', $.clock(), session_user, 'service', 'not_sent', '{}');
  END IF;
  RETURN number;
END $body$;

-- The service's answer goes before what a person said; what is done stays the last that the guard knows of.
CREATE FUNCTION $.end_intent(op jsonb, by_whom text) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE i $.intent; t timestamptz := $.clock(); becomes text; beaten boolean;
BEGIN
  SELECT * INTO i FROM $.intent WHERE id = op ->> 'id' FOR UPDATE;
  IF NOT FOUND THEN RETURN '{"missing": true}'; END IF;
  beaten := by_whom = 'person' AND EXISTS (SELECT 1 FROM $.outcome
    WHERE intent = i.id AND said_by = 'service' AND outcome <> 'unknown');
  INSERT INTO $.outcome (intent, once, at, user_name, said_by, outcome, facts)
    VALUES (i.id, op ->> 'once', t, session_user, by_whom, op ->> 'outcome', coalesce(op -> 'facts', '{}'))
    ON CONFLICT (once) DO NOTHING;
  IF NOT FOUND OR beaten OR op ->> 'outcome' = 'unknown' THEN RETURN '{}'; END IF;
  becomes := CASE op ->> 'outcome' WHEN 'done' THEN 'done' ELSE 'not_done' END;
  -- One sending of a write may come to nothing; another one was done all the same, or is under way: who took the write
  -- over tells how it ends.
  IF becomes = 'not_done' AND by_whom = 'service' AND (i.process <> (op ->> 'by')::uuid OR EXISTS (SELECT 1
    FROM $.outcome WHERE intent = i.id AND said_by = 'service' AND outcome = 'done')) THEN RETURN '{}'; END IF;
  UPDATE $.intent SET state = becomes WHERE id = i.id;
  IF i.guarded THEN
    UPDATE $.guard SET
        opened = opened - CASE i.state WHEN 'open' THEN 1 ELSE 0 END,
        state = CASE WHEN opened - CASE i.state WHEN 'open' THEN 1 ELSE 0 END > 0 THEN 'open' ELSE 'closed' END,
        finished_at = CASE becomes WHEN 'done' THEN t ELSE finished_at END,
        done = CASE becomes WHEN 'done' THEN i.id ELSE done END
      WHERE tag = i.tag;
  END IF;
  RETURN '{}';
END $body$;

-- Whether a write belongs to another run that was under way when this one began: each counts all that the other did, even
-- if that run was killed since, or finished by somebody else.
CREATE FUNCTION $.overlaps(written text, own_run text, since timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $body$
  SELECT EXISTS (SELECT 1 FROM $.intent d JOIN $.run r ON r.id = d.run LEFT JOIN $.process q ON q.id = r.holder
    WHERE d.id = written AND d.run <> own_run AND (q.lease_until > since
      OR EXISTS (SELECT 1 FROM $.intent x WHERE x.run = d.run AND x.at >= since)));
$body$;

-- Admits a write, by one statement on the row of its tag.
CREATE FUNCTION $.begin_intent(op jsonb, p uuid) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE g $.guard; since timestamptz; again boolean := coalesce((op ->> 'again')::boolean, false); other text;
  number bigint;
BEGIN
  since := coalesce((SELECT at FROM $.run WHERE id = op ->> 'run'),
    to_timestamp((op ->> 'since')::double precision / 1000));
  INSERT INTO $.guard AS own (tag, intent, state, opened) VALUES (op ->> 'tag', op ->> 'id', 'open', 1)
    ON CONFLICT (tag) DO UPDATE SET intent = excluded.intent, state = 'open', opened = own.opened + 1
      WHERE again OR (own.state = 'closed' AND (own.done IS NULL OR (
        (since IS NULL OR own.finished_at < since
          -- What a process did itself came one after another, as it was asked for.
          OR (op -> 'run' IS NULL AND (SELECT process = p FROM $.intent WHERE id = own.done)))
        AND (op -> 'run' IS NULL OR NOT $.overlaps(own.done, op ->> 'run', since)))))
    RETURNING * INTO g;
  IF FOUND THEN
    number := $.note_intent(op, p, true);
    -- It was withdrawn before it came to its turn: nobody waits for this answer, and the guard stays as it was.
    IF number IS NULL THEN RAISE EXCEPTION 'the write % was withdrawn', op ->> 'id' USING ERRCODE = 'CO002'; END IF;
    RETURN jsonb_build_object('n', number);
  END IF;
  SELECT * INTO g FROM $.guard WHERE tag = op ->> 'tag';
  other := CASE g.state WHEN 'open' THEN g.intent ELSE g.done END;
  -- The journal of a run has the row as begun: both say of it that it did not leave.
  IF op ? 'run' THEN PERFORM $.note_intent(op, p, false); END IF;
  RETURN jsonb_build_object('other', $.told(other));
END $body$;

-- A row whose end is not known may be sent once more, with its key, by who holds the run.
CREATE FUNCTION $.reopen_intent(op jsonb, p uuid) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE i $.intent; g $.guard; since timestamptz;
BEGIN
  SELECT * INTO i FROM $.intent WHERE id = op ->> 'id' FOR UPDATE;
  IF NOT FOUND THEN RETURN '{"missing": true}'; END IF;
  IF i.state <> 'open' THEN RETURN jsonb_build_object('ended', $.told(i.id)); END IF;
  SELECT * INTO g FROM $.guard WHERE tag = i.tag;
  SELECT at INTO since FROM $.run WHERE id = i.run;
  IF g.done IS NOT NULL AND g.done <> i.id AND (g.finished_at >= since OR $.overlaps(g.done, i.run, since))
    AND NOT coalesce((op ->> 'again')::boolean, false)
  THEN RETURN jsonb_build_object('done', $.told(g.done)); END IF;
  UPDATE $.intent SET process = p WHERE id = i.id;
  RETURN '{}';
END $body$;

-- A write whose record may or may not have been taken in, and that did not leave.
CREATE FUNCTION $.withdraw(op jsonb, p uuid) RETURNS jsonb LANGUAGE plpgsql AS $body$
BEGIN
  IF $.note_intent(op, p, false) IS NOT NULL THEN RETURN '{}'; END IF;
  RETURN $.end_intent(op || '{"outcome": "not_sent"}', 'service');
END $body$;

-- The lines of journals among what is asked, all at once; which may be told by anybody have no epoch. What came of a
-- sending in vain is left out where another process has sent the row once more, and tells the end.
CREATE FUNCTION $.add_lines(ops jsonb, held jsonb) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  WITH asked AS (
    SELECT r.id AS run, r.lines, op ->> 'line' AS line, row_number() OVER (PARTITION BY r.id ORDER BY a.place) AS place
    FROM jsonb_array_elements(ops) WITH ORDINALITY a (op, place) JOIN $.run r ON r.id = op ->> 'run'
    WHERE op ->> 'do' = 'line' AND (NOT op ? 'epoch' OR op -> 'epoch' = held -> r.id)
      AND NOT coalesce(op ->> 'outcome' <> 'done' AND (op ->> 'sent_in')::int < r.epoch AND (SELECT process FROM $.intent
        WHERE run = r.id AND key = op ->> 'key' ORDER BY n DESC LIMIT 1) <> (op ->> 'by')::uuid, false)
  ), added AS (INSERT INTO $.line SELECT run, lines + place, line FROM asked)
  UPDATE $.run r SET lines = r.lines + a.many FROM (SELECT run, count(*) AS many FROM asked GROUP BY run) a WHERE r.id = a.run;
END $body$;

-- What a process asks for together, in one transaction; each has an answer of its own, in its order.
-- "fenced": it lost its lease, or its run. "behind": the ledger does not have what this machine saw in it.
CREATE FUNCTION $.act(v int, p uuid, mark jsonb, ops jsonb) RETURNS jsonb LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE alive boolean; behind boolean; held jsonb; op record; answer jsonb; answers jsonb[];
BEGIN
  PERFORM $.may_write(v);
  alive := $.beat(p);
  behind := mark IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM $.intent WHERE n = (mark ->> 'n')::bigint AND id = mark ->> 'id');
  PERFORM 1 FROM $.run WHERE id IN (SELECT value ->> 'run' FROM jsonb_array_elements(ops)) ORDER BY id FOR UPDATE;
  -- The runs of this process, each with its epoch.
  SELECT coalesce(jsonb_object_agg(id, epoch), '{}') INTO held FROM $.run WHERE holder = p AND alive
    AND id IN (SELECT value ->> 'run' FROM jsonb_array_elements(ops));
  PERFORM $.add_lines(ops, CASE WHEN behind THEN '{}' ELSE held END);
  FOR op IN SELECT value AS asked, value ->> 'do' AS deed, ordinality AS at
    FROM jsonb_array_elements(ops) WITH ORDINALITY ORDER BY value ->> 'tag' NULLS FIRST, ordinality
  LOOP
    answer := CASE
      WHEN op.deed = 'end' THEN $.end_intent(op.asked, 'service')
      WHEN op.deed = 'withdraw' THEN $.withdraw(op.asked, p)
      WHEN op.deed = 'line' AND NOT op.asked ? 'epoch' THEN CASE
        WHEN EXISTS (SELECT 1 FROM $.run WHERE id = op.asked ->> 'run') THEN '{}' ELSE '{"missing": true}' END::jsonb
      WHEN NOT alive OR (op.asked ? 'epoch' AND op.asked -> 'epoch' IS DISTINCT FROM held -> (op.asked ->> 'run'))
        THEN '{"fenced": true}'::jsonb
      WHEN behind THEN '{"behind": true}'::jsonb
      WHEN op.deed = 'line' THEN '{}'::jsonb
      WHEN op.deed = 'begin' THEN $.begin_intent(op.asked, p)
      WHEN op.deed = 'reopen' THEN $.reopen_intent(op.asked, p) END;
    answers[op.at] := answer;
  END LOOP;
  RETURN jsonb_build_object('alive', alive, 'answers',
    (SELECT jsonb_object_agg(at, answers[at]) FROM generate_subscripts(answers, 1) at));
END $body$;

CREATE FUNCTION $.settle(v int, op jsonb) RETURNS jsonb LANGUAGE plpgsql ${DEFINED} AS $body$
DECLARE known jsonb;
BEGIN
  PERFORM $.may_write(v);
  PERFORM 1 FROM $.intent WHERE id = op ->> 'id' FOR UPDATE;
  known := $.told(op ->> 'id');
  IF known ->> 'state' <> 'open' OR (known ->> 'running')::boolean THEN RETURN known; END IF;
  PERFORM $.end_intent(op, 'person');
  RETURN NULL;
END $body$;
`;
