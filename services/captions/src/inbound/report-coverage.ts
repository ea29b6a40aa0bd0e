/** Reports coverage at boot: which languages can be transcribed, and into which they can be translated. */
import type { Logger } from '@vds/chassis/telemetry/log';
import { coverageLines, coverageOf } from '../domain/coverage.ts';
import { describeTargetShortage } from '../domain/plan-tracks.ts';
import type { Coverage } from '../outbound/coverage.ts';

/**
 * Queries the engines and logs what they support; `coverage` itself logs an unavailable one, which is queried again
 * later.
 */
export async function reportCoverage(coverage: Coverage, targets: readonly string[], log: Logger): Promise<void> {
  const shortage = describeTargetShortage(targets);
  if (shortage !== undefined) log.warn({ targets }, `CAPTION_LANGUAGES is short: ${shortage}`);
  const capabilities = await coverage.capabilities();
  const { speechEngine, translationEngine } = coverage;
  const lines = coverageLines(coverageOf(capabilities, targets));
  const engines = { speech_engine: speechEngine, translation_engine: translationEngine };
  const isKnown = capabilities.speechLanguages !== undefined && capabilities.routes !== undefined;
  log.info({ ...engines, coverage: lines }, isKnown ? 'captions and translations' : 'coverage is not known yet');
}
