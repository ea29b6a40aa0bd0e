/** What five engines call the same thing. */
export type Dialect = {
  readonly name: DialectName;
  /** Any one value of a group. */
  readonly any: (value: string) => string;
  /** The value of the row in which `by` is greatest. */
  readonly last: (value: string, by: string) => string;
  readonly bitOr: (value: string) => string;
  /** 1 where the bit is set. */
  readonly bit: (value: string, index: string) => string;
  readonly median: (value: string) => string;
  readonly day: (time: string) => string;
  readonly hour: (time: string) => string;
  readonly boolOr: (value: string) => string;
  readonly distinct: (value: string) => string;
  readonly float: (value: string) => string;
  /** A relation `alias` with a column `n` from 0 to 19. */
  readonly twentieths: (alias: string) => string;
  /** Whether a view may be replaced. */
  readonly create: (view: string) => string;
};
export type DialectName = 'duckdb' | 'clickhouse' | 'bigquery' | 'snowflake' | 'athena';

function replace(view: string): string {
  return `CREATE OR REPLACE VIEW ${view} AS`;
}

function counted(value: string): string {
  return `count(DISTINCT ${value})`;
}

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  duckdb: {
    name: 'duckdb',
    any: (value) => `any_value(${value})`,
    last: (value, by) => `arg_max(${value}, ${by})`,
    bitOr: (value) => `bit_or(${value})`,
    bit: (value, index) => `((${value} >> ${index}) & 1)`,
    median: (value) => `median(${value})`,
    day: (time) => `CAST(${time} AS DATE)`,
    hour: (time) => `date_trunc('hour', ${time})`,
    boolOr: (value) => `bool_or(${value})`,
    distinct: counted,
    float: (value) => `CAST(${value} AS DOUBLE)`,
    twentieths: (alias) => `range(20) AS ${alias}(n)`,
    create: replace,
  },
  clickhouse: {
    name: 'clickhouse',
    any: (value) => `any(${value})`,
    last: (value, by) => `argMax(${value}, ${by})`,
    bitOr: (value) => `groupBitOr(${value})`,
    bit: (value, index) => `bitTest(${value}, ${index})`,
    median: (value) => `quantileExact(0.5)(${value})`,
    day: (time) => `toDate(${time})`,
    hour: (time) => `toStartOfHour(${time})`,
    boolOr: (value) => `max(${value})`,
    distinct: (value) => `uniqExact(${value})`,
    float: (value) => `toFloat64(${value})`,
    twentieths: (alias) => `(SELECT number AS n FROM numbers(20)) AS ${alias}`,
    create: replace,
  },
  bigquery: {
    name: 'bigquery',
    any: (value) => `ANY_VALUE(${value})`,
    last: (value, by) => `ANY_VALUE(${value} HAVING MAX ${by})`,
    bitOr: (value) => `BIT_OR(${value})`,
    bit: (value, index) => `((${value} >> ${index}) & 1)`,
    median: (value) => `APPROX_QUANTILES(${value}, 2)[OFFSET(1)]`,
    day: (time) => `DATE(${time})`,
    hour: (time) => `TIMESTAMP_TRUNC(${time}, HOUR)`,
    boolOr: (value) => `LOGICAL_OR(${value})`,
    distinct: counted,
    float: (value) => `CAST(${value} AS FLOAT64)`,
    twentieths: () => 'UNNEST(GENERATE_ARRAY(0, 19)) AS n',
    create: replace,
  },
  snowflake: {
    name: 'snowflake',
    any: (value) => `ANY_VALUE(${value})`,
    last: (value, by) => `MAX_BY(${value}, ${by})`,
    bitOr: (value) => `BITOR_AGG(${value})`,
    bit: (value, index) => `BITAND(BITSHIFTRIGHT(${value}, ${index}), 1)`,
    median: (value) => `MEDIAN(${value})`,
    day: (time) => `TO_DATE(${time})`,
    hour: (time) => `DATE_TRUNC('HOUR', ${time})`,
    boolOr: (value) => `BOOLOR_AGG(${value})`,
    distinct: counted,
    float: (value) => `CAST(${value} AS DOUBLE)`,
    twentieths: (alias) => `(SELECT SEQ4() AS n FROM TABLE(GENERATOR(ROWCOUNT => 20))) AS ${alias}`,
    create: replace,
  },
  athena: {
    name: 'athena',
    any: (value) => `arbitrary(${value})`,
    last: (value, by) => `max_by(${value}, ${by})`,
    bitOr: (value) => `bitwise_or_agg(${value})`,
    bit: (value, index) => `bitwise_and(bitwise_right_shift(${value}, ${index}), 1)`,
    median: (value) => `approx_percentile(${value}, 0.5)`,
    day: (time) => `date(${time})`,
    hour: (time) => `date_trunc('hour', ${time})`,
    boolOr: (value) => `bool_or(${value})`,
    distinct: counted,
    float: (value) => `CAST(${value} AS double)`,
    twentieths: (alias) => `UNNEST(sequence(0, 19)) AS ${alias}(n)`,
    create: replace,
  },
};
