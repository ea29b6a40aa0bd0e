/** What `npm run test:long` runs beside what every run does. */

export const isLong = process.env['VDS_LONG'] === '1';

/** A row of a table of tests. */
export type Row = {
  /** In every run, and not only in long ones. */
  readonly usual?: true;
};

/** The rows that this run tests: all in long runs, else those that are usual. */
export function usualOf<R extends Row>(rows: readonly R[]): readonly R[] {
  return isLong ? rows : rows.filter(({ usual }) => usual);
}
