-- state.db, version 7: crawls that are taken up when their helper dies.

ALTER TABLE crawl_job ADD COLUMN token TEXT; -- of the helper at it; NULL: none
ALTER TABLE crawl_job ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0; -- helpers
                                     -- started since anything was done

-- From now on a crawl that runs goes on by itself. Those of earlier versions
-- that nobody ended were shown as interrupted, and stay so.
UPDATE crawl_job SET state = 3, ended = beat WHERE state = 0;
