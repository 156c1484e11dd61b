-- state.db, version 3: passwords, roles, sign-ins, usage, crawls of the API.

ALTER TABLE account ADD COLUMN password TEXT;  -- argon2id; NULL: none was set,
                                               -- and nobody can sign in
ALTER TABLE account ADD COLUMN role INTEGER NOT NULL DEFAULT 0; -- enum
                                               -- account_role
ALTER TABLE api_key ADD COLUMN requests INTEGER NOT NULL DEFAULT 0; -- so far,
                                               -- some minutes late at most

CREATE TABLE session(
  hash    BLOB NOT NULL PRIMARY KEY,   -- SHA-256; the token is not kept
  account INTEGER NOT NULL REFERENCES account(id),
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX session_account ON session(account, created);
CREATE INDEX session_expires ON session(expires);

-- Attempts that count against an e-mail address or a network address.
CREATE TABLE throttle(
  name     BLOB NOT NULL PRIMARY KEY,  -- SHA-256 of who, so that what was
                                       -- typed by mistake is not kept
  failures INTEGER NOT NULL,
  until    INTEGER NOT NULL,           -- nothing is tried before
  last     INTEGER NOT NULL            -- when it was counted last
) WITHOUT ROWID;
CREATE INDEX throttle_last ON throttle(last);

-- Crawls started over the API.
CREATE TABLE crawl_job(
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,        -- UUID, as on the wire
  account INTEGER NOT NULL REFERENCES account(id), -- who started it
  url     TEXT NOT NULL,
  pages   INTEGER NOT NULL,            -- most pages to store
  state   INTEGER NOT NULL DEFAULT 0,  -- enum crawl_state
  beat    INTEGER NOT NULL,            -- last sign of life of its helper
  stored  INTEGER NOT NULL DEFAULT 0,  -- unchanged ones included
  skipped INTEGER NOT NULL DEFAULT 0,
  failed  INTEGER NOT NULL DEFAULT 0,
  queued  INTEGER NOT NULL DEFAULT 0,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL DEFAULT 0,  -- 0: not yet
  error   TEXT                         -- for the operator, when failed
);
CREATE INDEX crawl_job_running ON crawl_job(beat) WHERE state = 0;
