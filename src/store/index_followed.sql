-- Only in an index that follows pages in PostgreSQL: how far. One row, or none
-- before the first look.
CREATE TABLE IF NOT EXISTS followed(
  one    INTEGER PRIMARY KEY CHECK(one = 1),
  source TEXT NOT NULL,                -- page_count.name
  base   INTEGER NOT NULL,             -- page_count.seq when it was empty
  seq    INTEGER NOT NULL,             -- changes up to here are in the index
  mark   INTEGER NOT NULL              -- of the first page_turn from seq on
);
