-- What a passage's text is made of: the letter of each block's kind with its
-- byte offset in text, as text/passage.h has it. '' = not known: pages stored
-- before this column was.
ALTER TABLE passage ADD COLUMN parts TEXT NOT NULL DEFAULT '';
