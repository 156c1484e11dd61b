-- index.db: pages, their passages, the crawl frontier; full text up to version 2.
-- Times are milliseconds since 1970-01-01 UTC unless a column says otherwise.

CREATE TABLE page(
  id            INTEGER PRIMARY KEY AUTOINCREMENT, -- kept when replaced
  url           TEXT NOT NULL UNIQUE,  -- canonical
  host          TEXT NOT NULL,
  rhost         TEXT NOT NULL,         -- labels reversed: 'com.example.www.'
  title         TEXT NOT NULL,
  lang          TEXT NOT NULL,         -- decides the stems; '' = unknown
  favicon       TEXT NOT NULL,         -- '' = none
  images        TEXT NOT NULL,         -- lines of url TAB alternative text
  day           INTEGER,               -- publication day since 1970, or NULL
  fetched       INTEGER NOT NULL,      -- last fetched or found unchanged
  etag          TEXT NOT NULL,
  last_modified TEXT NOT NULL,         -- the header, as received
  text_bytes    INTEGER NOT NULL,      -- of its passages
  first         INTEGER NOT NULL,      -- id of its first passage
  passages      INTEGER NOT NULL       -- they are first .. first+passages-1
);
CREATE INDEX page_host ON page(rhost, passages);
CREATE INDEX page_day ON page(day) WHERE day IS NOT NULL;

-- Ids are handed out in one block for each page and never again, so a
-- page's passages lie together and need no index of their own. page is no
-- foreign key: checking it would need one.
CREATE TABLE passage(
  id      INTEGER PRIMARY KEY,         -- rowid in passage_fts
  page    INTEGER NOT NULL,            -- page.id
  start   INTEGER NOT NULL,            -- byte offset in the page's text
  heading TEXT NOT NULL,               -- path of headings above it
  text    TEXT NOT NULL
);

-- Full text. Contentless: the words are in passage. No document lengths
-- either: our own ranking reads them off the few passages it looks at. tags
-- holds what filters ask for: host and parent domains, date.
CREATE VIRTUAL TABLE passage_fts USING fts5(
  title, heading, text, tags,
  content='', columnsize=0, detail=full, tokenize='cited'
);

-- Postings are gathered in memory up to this many bytes before they become
-- a segment, so that a batch of pages makes one.
INSERT INTO passage_fts(passage_fts, rank) VALUES('hashsize', 4194304);
INSERT INTO passage_fts(passage_fts, rank) VALUES('automerge', 8);

-- In how many passages a term occurs (title, heading or text); exact. The byte
-- 1 and a language's code: how many are stemmed in that language; of English
-- and what counts as English there is no such row.
CREATE TABLE term(
  term TEXT NOT NULL PRIMARY KEY,
  df   INTEGER NOT NULL
) WITHOUT ROWID;

-- One row.
CREATE TABLE counter(
  one          INTEGER PRIMARY KEY CHECK(one = 1),
  pages        INTEGER NOT NULL,
  passages     INTEGER NOT NULL,
  text_bytes   INTEGER NOT NULL,
  next_passage INTEGER NOT NULL        -- next id to hand out
);
INSERT INTO counter VALUES(1, 0, 0, 0, 1);

CREATE TABLE crawl(
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  name    TEXT NOT NULL UNIQUE,        -- hash of seeds and options
  started INTEGER NOT NULL
);

CREATE TABLE frontier(
  id     INTEGER PRIMARY KEY,          -- order of discovery = breadth first
  crawl  INTEGER NOT NULL REFERENCES crawl(id) ON DELETE CASCADE,
  url    TEXT NOT NULL,
  depth  INTEGER NOT NULL,
  tries  INTEGER NOT NULL,             -- times it was marked
  state  INTEGER NOT NULL,             -- enum frontier_state
  reason TEXT NOT NULL,                -- for the summary
  UNIQUE(crawl, url)
);
CREATE INDEX frontier_due ON frontier(crawl, id) WHERE state = 0;
