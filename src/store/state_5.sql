-- state.db, version 5: turns by account; tasks that are given back.

ALTER TABLE task_count ADD COLUMN turn INTEGER NOT NULL DEFAULT 0; -- number of
                                     -- the last claim that took a task of it
CREATE INDEX task_turn ON task_count(turn);
CREATE INDEX task_turn_open ON task_count(turn) WHERE open > 0;
-- An account's unfinished tasks: free ones in order of arrival, then those
-- that are held, or given back and not due yet, by when that ends.
CREATE INDEX task_open_account ON task(account, lease_until, seq)
  WHERE state < 2;

-- task.attempt counts claims since the last stored step that nothing was heard
-- of, faults how often the task was given back. One that was has no token, and
-- lease_until is when it is due again.
ALTER TABLE task ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;
