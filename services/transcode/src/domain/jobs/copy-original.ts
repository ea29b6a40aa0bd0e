/** The partner's own pictures as a rendition: packets copied, segments cut where the ladder's are. */
import { AppError } from '@vds/chassis/errors';
import { createRendition } from '../cmaf/rendition.ts';
import { sourceName, VIDEO_TIMESCALE } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import type { CopiedOriginal } from '../plan/job-results.ts';
import { TOLERANCE } from '../plan/pieces.ts';
import { originalArguments } from '../plan/side-arguments.ts';
import { SEGMENT_SECONDS } from '../plan/segment-grid.ts';
import type { EncodePorts } from './encode-ports.ts';

/** Of its folder below the job's, and in the ladder. */
export const originalName = 'original';

export async function copyOriginal(ports: EncodePorts, plan: EncodePlan): Promise<CopiedOriginal> {
  const { original, timeline, probe } = plan;
  if (!original) throw new AppError('INTERNAL', 'the plan has no copy of the original');
  await ports.fetch(sourceName);
  const options = {
    name: originalName,
    grid: { cell: SEGMENT_SECONDS * VIDEO_TIMESCALE, tolerance: TOLERANCE * VIDEO_TIMESCALE },
    shift: original.shift,
    sequence: 1,
    end: Math.round(timeline.end * VIDEO_TIMESCALE),
    copied: { zero: timeline.zero, from: -Infinity, to: Infinity, timescale: VIDEO_TIMESCALE },
  };
  const rendition = createRendition(options, {
    put: (file, bytes) => ports.put(`v/${originalName}/${file}`, bytes, 'video/mp4'),
    reached: (times) => ports.progress(Math.min(99, (100 * (times.at(-1) ?? 0)) / VIDEO_TIMESCALE / timeline.end)),
  });
  await ports.ffmpeg(originalArguments(probe), [rendition.read]);
  return { kind: 'original', folder: ports.folder, ...rendition.result() };
}
