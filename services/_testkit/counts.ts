/** The number of cases of a seeded test: few in `npm test`, ten times as many in `npm run test:long`. */
export function runs(usual: number): number {
  return process.env['VDS_LONG'] === '1' ? usual * 10 : usual;
}
