/**
 * The number of cases of a seeded test: few in `npm test`, ten times as many in `npm run test:long`, and a thirtieth in
 * `npm run test:mutation`, which runs the same tests against a thousand mutants.
 */
export function runs(usual: number): number {
  if (process.env['VDS_LONG'] === '1') return usual * 10;
  return process.env['VDS_FEW'] === '1' ? Math.ceil(usual / 30) : usual;
}
