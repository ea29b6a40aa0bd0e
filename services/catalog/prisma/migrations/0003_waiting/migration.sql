-- The failure code of a try that ended and is repeated; null: it goes on.
ALTER TABLE stages ADD COLUMN waiting text;
