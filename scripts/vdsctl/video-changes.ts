/** `vdsctl video retry | repeat | hold | release | remove`: what the staff does to a video, with who and why. */
import type { Command } from 'commander';
import type { ActionPreviewOut } from '@vds/proto/generated/vds/catalog/v1/ActionPreview.ts';
import type { VideoDetailsOut } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import { AppError } from '@vds/chassis/errors';
import type { Session } from './session.ts';
import { act, asDeed, bare, whoAsks, would, type Answer, type Deed, type Surroundings } from './verb.ts';
import { shown } from './videos.ts';

type Request = { readonly videoId: string; readonly actor: string; readonly reason: string };
type Method = 'RetryVideo' | 'HoldVideo' | 'ReleaseVideo' | 'RemoveVideo';

/** Adds the verbs that change videos. */
export function addVideoChanges(video: Command, surroundings: Surroundings): void {
  const asked = (videoId: string, why: Deed): Request => ({ videoId: bare(videoId), ...whoAsks(surroundings, why) });
  const verb = (name: string, method: Method, description: string): void =>
    void asDeed(video.command(name))
      .description(description)
      .argument('<video id>')
      .action(
        act<Deed>(surroundings, async (session, { dryRun, ...why }, id = '') => {
          const request = asked(id, why);
          return dryRun ? foresee(session, name, request) : shown(await session.videos()[method](request));
        }),
      );
  verb('retry', 'RetryVideo', 'start a failed video again as a new attempt');
  verb('hold', 'HoldVideo', 'take a video out of sight at once; its partner sees it archived and cannot republish it');
  verb('release', 'ReleaseVideo', 'end a hold; what the partner wants counts again');
  verb('remove', 'RemoveVideo', 'delete a video for good, as its partner could; this cannot be undone');
  asDeed(video.command('repeat'))
    .description('ask for a stage that the video can do without once more, in the same attempt')
    .argument('<video id>')
    .requiredOption('--stage <stage>', 'its name, such as metadata')
    .action(
      act<Deed & { readonly stage: string }>(surroundings, async (session, { dryRun, stage, ...why }, id = '') => {
        const request = asked(id, why);
        if (dryRun) return foreseeRepeat(session, request, stage);
        return shown(await session.videos().RerunStage({ ...request, stage }));
      }),
    );
}

/** What a dry run of a verb says. */
async function foresee(session: Session, verb: string, request: Request): Promise<Answer> {
  const details = await session.videos().ShowVideo(request);
  const { was, becomes } = previewOf(details, verb);
  if (verb === 'retry')
    return would(`start attempt ${details.attempt + 1} of video ${request.videoId}`, { was, becomes });
  const nothing = `change nothing: video ${request.videoId} is ${was}`;
  return would(was === becomes ? nothing : `${verb} video ${request.videoId}: ${was} → ${becomes}`, { was, becomes });
}

/** What catalog says that the verb would come to. FAILED_PRECONDITION, in its words, where it would refuse. */
function previewOf({ actionPreviews }: VideoDetailsOut, ...actions: readonly string[]): ActionPreviewOut {
  const found = actions
    .map((action) => actionPreviews.find((one) => one.action === action))
    .find((one) => one !== undefined);
  if (!found) throw new AppError('FAILED_PRECONDITION', 'this catalog is too old to say what the verb would do');
  if (found.rejection !== undefined) throw new AppError('FAILED_PRECONDITION', found.rejection);
  return found;
}

/** What a dry run says of asking for a stage once more. */
async function foreseeRepeat(session: Session, request: Request, stage: string): Promise<Answer> {
  const details = await session.videos().ShowVideo(request);
  previewOf(details, `rerun ${stage}`, 'rerun');
  const now = details.stages.findLast((one) => one.stage === stage);
  return would(`ask for revision ${(now?.revision ?? 0) + 1} of ${stage} in video ${request.videoId}`);
}
