// The schema of the database: two tables and three functions, in a schema of their own. They are made, and
// brought up to date, by the first user.

import { MilepostError } from '../../base/error.js';

/** The most bytes of a name that PostgreSQL keeps. */
const LONGEST_NAME = 63;

/** `milepost` in ASCII: an update of a schema holds the lock of these numbers and its name. */
const LOCK = 0x6d696c65;

/**
 * The name of a schema as it stands in SQL. It is the only name of a caller's that does: keys are values.
 *
 * @param {string} name
 */
export function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns whether a schema can have this name, which PostgreSQL would cut off, or keeps for itself.
 *
 * @param {string} name
 */
export function isName(name) {
  const { length } = new TextEncoder().encode(name);
  return length > 0 && length <= LONGEST_NAME && !name.includes('\0') && !name.startsWith('pg_');
}

/** Errors of `swap`, of a class that no error of PostgreSQL is of. */
export const ISOLATED = 'MP001';
export const NOT_NEW = 'MP002';
export const OTHER_CONTENT = 'MP003';

/** A transaction that holds a row for longer is no writer of this package. */
const LOCK_TIMEOUT_MS = 2000;

/** Keys are compared byte by byte, regardless of the database's own order. */
const TABLES = (/** @type {string} */ schema) => [
  `CREATE TABLE ${schema}.records (
    key text COLLATE "C" PRIMARY KEY,
    bytes bytea NOT NULL
  )`,
  `CREATE TABLE ${schema}.operations (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
  )`,
  // Rows come in the order of their times, so that a summary of each block finds the old ones.
  `CREATE INDEX operations_at ON ${schema}.operations USING brin (at)`,
];

/**
 * `swap` is the whole of a compare-and-swap in one statement. It knows an operation that was applied
 * before, and waits for one that is being applied, because it asks only after it has the row.
 *
 * A transaction that does not see concurrent commits could not look again: its caller
 * begins another one. What stands beside and must be new is refused for the whole of it.
 */
const FUNCTIONS = (/** @type {string} */ schema) => [
  `CREATE FUNCTION ${schema}.swap(
    operation uuid, target text, expected bytea, replacement bytea, kept text,
    beside text[], must_be_new boolean[], contents bytea[]
  ) RETURNS boolean LANGUAGE plpgsql AS $swap$
  DECLARE
    replaced bytea;
  BEGIN
    IF pg_catalog.current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'milepost swaps in READ COMMITTED' USING ERRCODE = '${ISOLATED}';
    END IF;
    IF pg_catalog.current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
      PERFORM pg_catalog.set_config('synchronous_commit', 'on', true);
    END IF;
    PERFORM pg_catalog.set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true);
    IF expected IS NOT NULL THEN
      SELECT bytes INTO replaced FROM ${schema}.records WHERE key = target FOR UPDATE;
      IF NOT FOUND OR pg_catalog.sha256(replaced) <> expected THEN
        RETURN EXISTS (SELECT FROM ${schema}.operations WHERE id = operation);
      END IF;
      IF replacement IS NULL THEN
        DELETE FROM ${schema}.records WHERE key = target;
      ELSE
        UPDATE ${schema}.records SET bytes = replacement WHERE key = target;
      END IF;
      IF kept IS NOT NULL THEN
        INSERT INTO ${schema}.records (key, bytes) VALUES (kept, replaced)
          ON CONFLICT (key) DO UPDATE SET bytes = EXCLUDED.bytes;
      END IF;
    ELSIF replacement IS NOT NULL THEN
      INSERT INTO ${schema}.records (key, bytes) VALUES (target, replacement) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        RETURN EXISTS (SELECT FROM ${schema}.operations WHERE id = operation);
      END IF;
    ELSIF EXISTS (SELECT FROM ${schema}.records WHERE key = target) THEN
      RETURN EXISTS (SELECT FROM ${schema}.operations WHERE id = operation);
    END IF;
    FOR i IN 1 .. coalesce(pg_catalog.cardinality(beside), 0) LOOP
      IF must_be_new[i] THEN
        INSERT INTO ${schema}.records (key, bytes) VALUES (beside[i], contents[i]) ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'what must be new is there' USING ERRCODE = '${NOT_NEW}';
        END IF;
      ELSIF contents[i] IS NULL THEN
        DELETE FROM ${schema}.records WHERE key = beside[i];
      ELSE
        INSERT INTO ${schema}.records (key, bytes) VALUES (beside[i], contents[i])
          ON CONFLICT (key) DO UPDATE SET bytes = EXCLUDED.bytes;
      END IF;
    END LOOP;
    INSERT INTO ${schema}.operations (id) VALUES (operation);
    RETURN true;
  END
  $swap$`,
  `CREATE FUNCTION ${schema}.names(
    prefix text, most integer
  ) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $names$
  DECLARE
    after text COLLATE "C" := prefix;
    past text COLLATE "C" := pg_catalog.left(prefix, -1) || '0';
    start integer := pg_catalog.length(prefix) + 1;
    found text COLLATE "C";
    slash integer;
    was_passed boolean := true;
  BEGIN
    WHILE was_passed AND most > 0 LOOP
      was_passed := false;
      FOR found IN
        SELECT key FROM ${schema}.records WHERE key >= after AND key < past ORDER BY key
      LOOP
        slash := pg_catalog.strpos(pg_catalog.substr(found, start), '/');
        IF slash > 0 THEN
          -- All records below another one are passed over together: '0' comes right after '/'.
          after := pg_catalog.left(found, start + slash - 2) || '0';
          was_passed := true;
          EXIT;
        END IF;
        most := most - 1;
        RETURN NEXT pg_catalog.substr(found, start);
        EXIT WHEN most = 0;
      END LOOP;
    END LOOP;
  END
  $names$`,
];

/**
 * A `swap` of which only the difference travels, and that as bytes: those of a list travel as text. The source is the
 * replaced state, if there is one, with what `sources` hold behind it.
 * Four numbers are a piece: 0 for one of the replacement, or the number of a record of `beside`; an offset in the source,
 * and the count of bytes from there; and the count of bytes of `fresh` that follow. Each content has a digest; a record
 * without one is removed.
 */
const DIFFERENCES = (/** @type {string} */ schema) => [
  `CREATE FUNCTION ${schema}.swap(
    operation uuid, target text, expected bytea, kept text, beside text[], must_be_new boolean[], digests bytea[],
    sources text[], pieces integer[], fresh bytea
  ) RETURNS boolean LANGUAGE plpgsql AS $swap$
  DECLARE
    source bytea := '';
    joined bytea;
    made bytea[];
  BEGIN
    IF pg_catalog.current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'milepost swaps in READ COMMITTED' USING ERRCODE = '${ISOLATED}';
    END IF;
    PERFORM pg_catalog.set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true);
    IF expected IS NOT NULL THEN
      -- Joined with nothing, it is taken out of its table once, and not for each piece.
      SELECT records.bytes || ''::bytea INTO source FROM ${schema}.records WHERE key = target FOR UPDATE;
      IF NOT FOUND OR pg_catalog.sha256(source) <> expected THEN
        RETURN EXISTS (SELECT FROM ${schema}.operations WHERE id = operation);
      END IF;
    END IF;
    FOR i IN 1 .. coalesce(pg_catalog.cardinality(sources), 0) LOOP
      SELECT source || records.bytes INTO source FROM ${schema}.records WHERE key = sources[i];
    END LOOP;
    FOR i IN 1 .. pg_catalog.cardinality(digests) LOOP
      IF digests[i] IS NULL THEN
        made[i] := NULL;
        CONTINUE;
      END IF;
      SELECT pg_catalog.string_agg(
          pg_catalog.substr(source, piece.taken + 1, piece.length)
            || pg_catalog.substr(fresh, piece.added_at + 1, piece.added),
          '' ORDER BY piece.number
        ) INTO joined
        FROM (
          SELECT number, pieces[number] AS content, pieces[number + 1] AS taken, pieces[number + 2] AS length,
            pieces[number + 3] AS added,
            (pg_catalog.sum(pieces[number + 3]) OVER (ORDER BY number) - pieces[number + 3])::integer AS added_at
          FROM pg_catalog.generate_series(1, pg_catalog.cardinality(pieces), 4) AS number
        ) AS piece
        WHERE piece.content = i - 1;
      IF joined IS NULL OR pg_catalog.sha256(joined) <> digests[i] THEN
        RAISE EXCEPTION 'a source has another content' USING ERRCODE = '${OTHER_CONTENT}';
      END IF;
      made[i] := joined;
    END LOOP;
    RETURN ${schema}.swap(
      operation, target, expected, made[1], kept, beside, must_be_new, made[2:]
    );
  END
  $swap$`,
];

/** The migrations from each version of a schema to the next one. */
const MIGRATIONS = [TABLES, FUNCTIONS, DIFFERENCES];

/** The version that this package reads and writes. */
export const VERSION = MIGRATIONS.length;

/** No such table; no such schema. */
const MISSING = ['42P01', '3F000'];

/** A right that the role lacks. */
const DENIED = '42501';

/**
 * Returns an error of a statement, with the rights that the role needs where it lacks some.
 *
 * @param {any} error
 * @param {string} rights
 */
export function withRights(error, rights) {
  if (error?.code !== DENIED) return error;
  return Object.assign(new Error(`${error.message}: the role needs ${rights}`, { cause: error }), { code: DENIED });
}

/**
 * The rights that operations need on a schema that is up to date.
 *
 * @param {string} schema quoted
 */
export function rightsOn(schema) {
  const write = 'to write INSERT, UPDATE and DELETE on them as well, and EXECUTE on its functions';
  return `USAGE on the schema ${schema} and SELECT on its tables to read, and ${write}`;
}

/**
 * Brings a schema up to date, or makes it. One that is there is used by a role that may make tables in it, and needs no
 * right on the database.
 *
 * @param {import('./database.js').Database} database
 * @param {string} name of the schema
 * @param {boolean} makes false: nothing is written
 * @throws {MilepostError} `unsupported_version` where a newer milepost has made it, and where it is not up to date and
 *   nothing may be written; then `not_found` where it is missing
 */
export async function bringUpToDate(database, name, makes) {
  const schema = quoted(name);
  const found = await database.query(`SELECT max(version) FROM ${schema}.migrations`, []).catch((error) => {
    if (MISSING.includes(error.code)) return [[null]];
    throw withRights(error, rightsOn(schema));
  });
  if (isCurrent(name, numberOf(found))) return;
  if (!makes) throw notCurrent(name, numberOf(found));
  await database.within(async (query) => {
    // Held until the end of the transaction: the others wait here, and find it done.
    await query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCK, name]);
    await makeMissing(query, name);
    const version = numberOf(await query(`SELECT max(version) FROM ${schema}.migrations`, []));
    if (isCurrent(name, version)) return;
    const migrate = async (/** @type {string} */ statement, /** @type {unknown[]} */ values = []) => {
      await query(statement, values).catch((error) => {
        throw withRights(error, `CREATE on the schema ${schema} to bring it up to date`);
      });
    };
    for (let next = version ?? 0; next < VERSION; next += 1) {
      for (const statement of MIGRATIONS[next](schema)) await migrate(statement);
      await migrate(`INSERT INTO ${schema}.migrations (version) VALUES ($1)`, [next + 1]);
    }
  });
}

/**
 * Makes the schema and the table of its versions. PostgreSQL asks for the right to make even of IF NOT EXISTS, so that
 * what is there is looked for before.
 *
 * @param {import('./database.js').Query} query in a transaction that holds the lock
 * @param {string} name
 */
async function makeMissing(query, name) {
  const schema = quoted(name);
  const [[hasSchema, hasVersions]] = await query(
    `SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1),
       EXISTS (
         SELECT FROM pg_catalog.pg_class AS tables
           JOIN pg_catalog.pg_namespace AS schemas ON schemas.oid = tables.relnamespace
         WHERE schemas.nspname = $1 AND tables.relname = 'migrations'
       )`,
    [name],
  );
  if (!hasSchema) {
    await query(`CREATE SCHEMA IF NOT EXISTS ${schema}`, []).catch((error) => {
      const given = `a schema ${schema} that is there, with USAGE and CREATE on it`;
      throw withRights(error, `CREATE on the database, or ${given}`);
    });
  }
  if (hasVersions) return;
  const columns = 'version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now()';
  await query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations (${columns})`, []).catch((error) => {
    throw withRights(error, `USAGE and CREATE on the schema ${schema} to make its tables`);
  });
}

/**
 * @param {string} name
 * @param {number | null} version
 */
function notCurrent(name, version) {
  if (version === null) return new MilepostError('not_found', 'There is no schema of milepost yet in the database');
  const what = `The schema ${quoted(name)} of the database is of version ${version}, of an older milepost`;
  return new MilepostError('unsupported_version', `${what}: the next run that is kept there brings it up to date`);
}

/** @param {any[][]} rows */
function numberOf([[version]]) {
  return version === null ? null : Number(version);
}

/**
 * @param {string} name
 * @param {number | null} version
 */
function isCurrent(name, version) {
  if (version === null || version <= VERSION) return version === VERSION;
  const what = `The schema ${quoted(name)} of the database is of version ${version}, of a newer milepost`;
  throw new MilepostError('unsupported_version', `${what}: this one knows versions up to ${VERSION}; update it`);
}
