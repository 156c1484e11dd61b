-- state.db, version 4: tasks of several types.

ALTER TABLE task ADD COLUMN type INTEGER NOT NULL DEFAULT 0; -- enum task_type

-- task_count.total counts tasks of type 0 (research), open those of all types.
DROP INDEX task_created;
DROP INDEX task_updated;
CREATE INDEX task_created ON task(account, type, created, id);
CREATE INDEX task_updated ON task(account, type, updated, id);
