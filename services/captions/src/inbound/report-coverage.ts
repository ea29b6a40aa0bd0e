/** What the operator reads at boot: what is spoken, and where it can be translated to. */
import type { Logger } from '@vds/chassis/telemetry/log';
import { coverageLines, coverageOf } from '../domain/coverage.ts';
import { shortOfTargets } from '../domain/plan-tracks.ts';
import type { Coverage } from '../outbound/coverage.ts';

/** Looks at the engines and logs what they can do; one that is away is logged by `coverage` itself and looked for later. */
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
