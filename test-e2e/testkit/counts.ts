/**
 * How many cases a seeded test tries: few in `npm test`, ten times as many in `npm run test:long`, and a thirtieth in
 * `npm run test:mutation`, which runs the same tests against a thousand broken programs.
 */
export function runs(usual: number): number {
  if (process.env['VDS_LONG'] === '1') return usual * 10;
  return process.env['VDS_FEW'] === '1' ? Math.ceil(usual / 30) : usual;
}
