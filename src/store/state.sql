-- state.db: accounts, keys, tasks, their steps and evidence.
-- Times are milliseconds since 1970-01-01 UTC unless a column says otherwise.

CREATE TABLE account(
  id       INTEGER PRIMARY KEY,
  email    TEXT NOT NULL UNIQUE,       -- lower case
  created  INTEGER NOT NULL,
  disabled INTEGER NOT NULL DEFAULT 0  -- 1: its keys are refused with 403
);

CREATE TABLE api_key(
  hash      BLOB NOT NULL PRIMARY KEY, -- SHA-256; the key is not kept
  id        TEXT NOT NULL UNIQUE,      -- public name: 8 hex digits
  account   INTEGER NOT NULL REFERENCES account(id),
  label     TEXT NOT NULL,
  created   INTEGER NOT NULL,
  last_used INTEGER NOT NULL DEFAULT 0, -- kept to the minute; 0 = never
  revoked   INTEGER NOT NULL DEFAULT 0  -- when; 0 = valid
) WITHOUT ROWID;
CREATE INDEX api_key_account ON api_key(account, created);

-- How many tasks an account has, so that listing never counts rows.
CREATE TABLE task_count(
  account INTEGER PRIMARY KEY REFERENCES account(id),
  total   INTEGER NOT NULL,            -- all its tasks
  open    INTEGER NOT NULL             -- those pending or processing
);

CREATE TABLE task(
  seq         INTEGER PRIMARY KEY,     -- order of arrival; private
  id          TEXT NOT NULL UNIQUE,    -- UUID, as on the wire
  account     INTEGER NOT NULL REFERENCES account(id),
  state       INTEGER NOT NULL DEFAULT 0, -- enum task_state; only grows
  attempt     INTEGER NOT NULL DEFAULT 0, -- claims since the last stored step
  created     INTEGER NOT NULL,
  updated     INTEGER NOT NULL,        -- last change of state
  lease_until INTEGER NOT NULL DEFAULT 0, -- 0: nobody holds it
  token       TEXT,                    -- of the present or last holder
  last_error  TEXT,                    -- of the last attempt given back
  error       TEXT,                    -- message for the caller, when failed
  input       TEXT NOT NULL,           -- JSON object as echoed
  output      TEXT                     -- JSON, when completed
);
-- One for each sort order of the list; they end in id to break ties and
-- serve deep pages without touching the rows.
CREATE INDEX task_created ON task(account, created, id);
CREATE INDEX task_updated ON task(account, updated, id);
-- Unfinished tasks: free ones (lease_until = 0) in order of arrival, then
-- held ones by the end of their lease.
CREATE INDEX task_open ON task(lease_until, seq) WHERE state < 2;

-- What a helper did: checkpoint, progress and audit trail in one.
CREATE TABLE task_step(
  task INTEGER NOT NULL REFERENCES task(seq) ON DELETE CASCADE,
  n    INTEGER NOT NULL,               -- 0, 1, ... within the task
  at   INTEGER NOT NULL,
  kind TEXT NOT NULL,                  -- plan, search, gap, write
  data TEXT NOT NULL,                  -- JSON object
  PRIMARY KEY(task, n)
) WITHOUT ROWID;

-- Passages kept for the answer, verbatim, as they were when read.
CREATE TABLE evidence(
  task    INTEGER NOT NULL REFERENCES task(seq) ON DELETE CASCADE,
  n       INTEGER NOT NULL,            -- 0, 1, ... within the task
  step    INTEGER NOT NULL,            -- task_step.n that brought it
  sub     INTEGER NOT NULL,            -- sub-question it answers
  page    INTEGER NOT NULL,            -- ids in index.db at that time
  passage INTEGER NOT NULL,
  start   INTEGER NOT NULL,            -- byte offset in the page's text
  day     INTEGER,                     -- publication day since 1970, or NULL
  score   REAL NOT NULL,
  url     TEXT NOT NULL,
  title   TEXT NOT NULL,
  favicon TEXT NOT NULL,               -- '' = none
  heading TEXT NOT NULL,
  text    TEXT NOT NULL,
  PRIMARY KEY(task, n)
) WITHOUT ROWID;
