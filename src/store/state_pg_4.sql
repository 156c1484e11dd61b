-- What state_7.sql makes in SQLite.

ALTER TABLE crawl_job ADD COLUMN token TEXT;
ALTER TABLE crawl_job ADD COLUMN attempt BIGINT NOT NULL DEFAULT 0;
UPDATE crawl_job SET state = 3, ended = beat WHERE state = 0;
