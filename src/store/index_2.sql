-- What a passage's text is made of: the letter of each block's kind with its
-- byte offset in text, as text/passage.h has it, and in front the passage's
-- language where that is not its page's. '' = not known: pages stored
-- before this column was.
ALTER TABLE passage ADD COLUMN parts TEXT NOT NULL DEFAULT '';
