-- The full text moves into segments (index/segment.h), files beside this
-- database. passage_fts and term stay for the earlier version, which may still
-- be answering, and with them its version number, until index_upkeep drops
-- them; a new file begins without.

-- Which segments there are. A file that is not named here is not there.
CREATE TABLE segment(
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  name     TEXT NOT NULL UNIQUE,     -- of the file, without its folder
  sum      INTEGER NOT NULL,         -- of its head
  bytes    INTEGER NOT NULL,
  pages    INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  applied  INTEGER NOT NULL          -- removed.seq up to here do not concern it
);

-- Versions of pages that are gone and whose postings may stand in a segment
-- yet; a merge leaves them out.
CREATE TABLE removed(
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  first INTEGER NOT NULL             -- page.first as it was
);

-- Grows with every change of these two tables.
ALTER TABLE counter ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
