/** How many cases a seeded test tries: few in `npm test`, ten times as many in `npm run test:long`. */
export const runs = (usual: number): number => (process.env['VDS_LONG'] === '1' ? usual * 10 : usual);
