/** Times of the service for tests. */

/** They make contract times short, but not so short that a busy machine runs into them. */
export const SHORT_TIMES = {
  TIME_SCALE: '0.04,sourceDelays=20ms+30ms+40ms+50ms+60ms,progressEvery=50ms,headers=10s,idle=10s',
};

/** Deadlines of a source that the tests of bad sources wait for. */
export const SHORT_DEADLINES = { TIME_SCALE: 'headers=2s,idle=2s,rateWindow=1s,total=14s' };
