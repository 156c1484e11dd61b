-- Pages, where several machines share a PostgreSQL: what is true of them, that
-- is what index.sql has of them apart from what is made to search. Every node
-- makes its own index of it, by the order of changes (index/follow.h).

-- One row, locked from the first change of a transaction to its end: so
-- changes are numbered in the order in which they commit, and who has seen
-- one has seen all before it.
CREATE TABLE page_count(
  one          BIGINT PRIMARY KEY CHECK(one = 1),
  name         TEXT NOT NULL,          -- of these pages, at random
  seq          BIGINT NOT NULL,        -- of the last change
  next_page    BIGINT NOT NULL,        -- next ids to hand out, the same on
  next_passage BIGINT NOT NULL,        -- all nodes; never again
  cut          BIGINT NOT NULL         -- removals up to this one are forgotten
);
INSERT INTO page_count(one, name, seq, next_page, next_passage, cut)
  VALUES(1, md5(random()::text || clock_timestamp()::text), 0, 1, 1, 0);

CREATE TABLE page(
  id            BIGINT PRIMARY KEY,
  url           TEXT COLLATE "C" NOT NULL UNIQUE,
  host          TEXT NOT NULL,
  rhost         TEXT COLLATE "C" NOT NULL,
  title         TEXT NOT NULL,
  lang          TEXT NOT NULL,
  favicon       TEXT NOT NULL,
  images        TEXT NOT NULL,
  day           BIGINT,
  fetched       BIGINT NOT NULL,
  etag          TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  text_bytes    BIGINT NOT NULL,
  first         BIGINT NOT NULL,
  passages      BIGINT NOT NULL,
  body          BYTEA NOT NULL,        -- they: start, heading, text and parts
                                       -- of each, a NUL behind each of these.
                                       -- One value: a page comes and goes whole
  put           BIGINT NOT NULL,       -- the change that brought body; ascends
                                       -- with first
  seq           BIGINT NOT NULL        -- the last one
);
CREATE INDEX page_rhost ON page(rhost);
CREATE UNIQUE INDEX page_put ON page(put);
CREATE UNIQUE INDEX page_seq ON page(seq);

-- Removals.
CREATE TABLE page_gone(
  seq  BIGINT PRIMARY KEY,
  page BIGINT NOT NULL                 -- its id
);

-- A row for each transaction.
CREATE TABLE page_turn(
  seq  BIGINT PRIMARY KEY,             -- its last change
  mark BIGINT NOT NULL,                -- at random: whoever followed what a
                                       -- failover or an old copy took back
                                       -- sees that it is another history
  at   BIGINT NOT NULL                 -- by PostgreSQL's clock
);
CREATE INDEX page_turn_at ON page_turn(at);
