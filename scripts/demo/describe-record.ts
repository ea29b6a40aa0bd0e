/** A video's record in sentences for a person. */
import type { CaptionRow, StatusRecord } from '@vds/testkit/stack/partner';

/** Why there is nothing to play: code, what happened, and what to do. */
export function failureOf({ title, status, failure }: StatusRecord): string {
  if (failure === undefined) return `“${title}” ended as ${status}.`;
  const again = failure.retryable ? '\n  The same file may succeed later.' : '';
  const details = Object.entries(failure.details).map(([name, value]) => `${name} ${value}`);
  const facts = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `“${title}” failed: ${failure.code}, stage ${failure.stage}${facts}.\n  ${failure.message}${again}`;
}

/** What became of the captions, in one line; tracks that are still being made count as open. */
export function captionsOf(captions: readonly CaptionRow[]): string {
  const [spoken] = captions;
  if (spoken === undefined) return 'no captions';
  if (captions.every(({ status }) => status === 'skipped')) {
    if (spoken.reason === 'no_speech') return 'no speech found, so no captions';
    if (spoken.reason === 'no_audio') return 'no sound, so no captions';
    if (spoken.reason === 'language_unsupported')
      return `no captions: the speech engine does not know the language '${spoken.language}'`;
  }
  const ready = captions.filter(({ status }) => status === 'ready').length;
  const others = captions.filter(({ status }) => status === 'skipped' || status === 'failed');
  const reasons = [...Map.groupBy(others, ({ reason }) => reason)].map(
    ([reason, tracks]) => `${tracks.map(({ language }) => language).join(', ')}: ${WHY[reason ?? 'engine_error']}`,
  );
  return `captions in ${ready} of ${captions.length} languages${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}`;
}

const WHY: Readonly<Record<NonNullable<CaptionRow['reason']>, string>> = {
  no_audio: 'no sound',
  no_speech: 'no speech',
  language_unsupported: 'language unknown to the speech engine',
  no_path: 'no translation',
  engine_error: 'the engine failed',
};
