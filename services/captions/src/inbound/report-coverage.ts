/** Reports coverage at boot: which languages can be transcribed, and into which they can be translated. */
import type { Logger } from '@vds/chassis/telemetry/log';
import { coverageLines, coverageOf } from '../domain/coverage.ts';
import { shortOfTargets } from '../domain/plan-tracks.ts';
import type { Coverage } from '../outbound/coverage.ts';

/**
 * Queries the engines and logs what they support; `coverage` itself logs an unavailable one, which is queried again
 * later.
 */
export async function reportCoverage(coverage: Coverage, targets: readonly string[], log: Logger): Promise<void> {
  const short = shortOfTargets(targets);
  if (short !== undefined) log.warn({ targets }, `CAPTION_LANGUAGES is short: ${short}`);
  const known = await coverage.known();
  const { speechEngine, translationEngine } = coverage;
  const lines = coverageLines(coverageOf(known, targets));
  const engines = { speech_engine: speechEngine, translation_engine: translationEngine };
  const there = known.speechLanguages !== undefined && known.routes !== undefined;
  log.info({ ...engines, coverage: lines }, there ? 'captions and translations' : 'coverage is not known yet');
}
