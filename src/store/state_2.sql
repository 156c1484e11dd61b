-- state.db, version 2: callbacks and repeated requests.

-- Signs what is sent to the account's callback addresses; made when first
-- needed. Kept as it is, since signing needs it.
ALTER TABLE account ADD COLUMN callback_secret BLOB;

-- Where the record of a task is sent when it ends.
CREATE TABLE callback(
  task  INTEGER PRIMARY KEY REFERENCES task(seq) ON DELETE CASCADE,
  url   TEXT NOT NULL,
  state INTEGER NOT NULL DEFAULT 0,    -- enum callback_state; only grows
  due   INTEGER NOT NULL DEFAULT 0,    -- when to send next; while a helper is
                                       -- at it, when another may
  tries INTEGER NOT NULL DEFAULT 0,    -- begun so far
  error TEXT                           -- of the last try that failed
);
CREATE INDEX callback_due ON callback(due) WHERE state = 1;

-- Idempotency-Key: which task a request made, so that it can be repeated.
CREATE TABLE request_key(
  account INTEGER NOT NULL REFERENCES account(id),
  key     TEXT NOT NULL,               -- as the client sent it
  digest  BLOB NOT NULL,               -- SHA-256 of the task's input
  task    INTEGER NOT NULL REFERENCES task(seq) ON DELETE CASCADE,
  created INTEGER NOT NULL,
  PRIMARY KEY(account, key)
) WITHOUT ROWID;
CREATE INDEX request_key_created ON request_key(created);
CREATE INDEX request_key_task ON request_key(task);
