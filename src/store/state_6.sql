-- state.db, version 6: how fast a crawl is.

ALTER TABLE crawl_job ADD COLUMN delay INTEGER; -- ms between two requests to a
                                     -- host; NULL: as configured
