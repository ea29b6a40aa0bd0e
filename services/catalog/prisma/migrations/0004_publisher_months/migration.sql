CREATE TABLE publisher_months (
    publisher_id text NOT NULL,
    month date NOT NULL,
    media_ms bigint NOT NULL DEFAULT 0,
    fetched_bytes bigint NOT NULL DEFAULT 0,
    stored_bytes bigint NOT NULL DEFAULT 0,

    CONSTRAINT publisher_months_pkey PRIMARY KEY (publisher_id, month)
);

-- What is stored already; minutes and bytes in are counted from now on.
INSERT INTO publisher_months (publisher_id, month, stored_bytes)
SELECT publisher_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, stored_bytes FROM publisher_usage;
