/**
 * `vdsctl video retry | repeat | hold | release | remove`: the operator's actions on a video, with actor and reason.
 */
import type { Command } from 'commander';
import type { ActionPreviewOut } from '@vds/proto/generated/vds/catalog/v1/ActionPreview.ts';
import type { VideoDetailsOut } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import { AppError } from '@vds/chassis/errors';
import { bareVideoId } from '../domain/ids.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import {
  withClients,
  withAuditOptions,
  auditFields,
  dryRunOutput,
  type Output,
  type AuditOptions,
  type CliIo,
  type WriteOptions,
} from './verb.ts';
import { videoOutput } from './videos.ts';

type Request = { readonly videoId: string; readonly actor: string; readonly reason: string };
type Method = 'RetryVideo' | 'HoldVideo' | 'ReleaseVideo' | 'RemoveVideo';

/** Adds the verbs that change videos. */
export function addVideoChanges(video: Command, io: CliIo): void {
  const requestOf = (videoId: string, options: AuditOptions): Request => ({
    videoId: bareVideoId(videoId),
    ...auditFields(io, options),
  });
  const verb = (name: string, method: Method, description: string): void =>
    void withAuditOptions(video.command(name))
      .description(description)
      .argument('<video id>')
      .action(
        withClients<WriteOptions>(io, async (clients, { dryRun, ...audit }, id = '') => {
          const request = requestOf(id, audit);
          return dryRun ? previewChange(clients, name, request) : videoOutput(await clients.videos()[method](request));
        }),
      );
  verb('retry', 'RetryVideo', 'start a failed video again as a new attempt');
  verb('hold', 'HoldVideo', 'hide a video immediately; its partner sees it archived and cannot republish it');
  verb('release', 'ReleaseVideo', 'end a hold; the state that the partner chose applies again');
  verb('remove', 'RemoveVideo', 'delete a video permanently; this cannot be undone');
  withAuditOptions(video.command('rerun'))
    .description('run an optional stage again, in the same attempt')
    .argument('<video id>')
    .requiredOption('--stage <stage>', 'the stage, such as metadata')
    .action(
      withClients<WriteOptions & { readonly stage: string }>(
        io,
        async (clients, { dryRun, stage, ...audit }, id = '') => {
          const request = requestOf(id, audit);
          if (dryRun) return previewRerun(clients, request, stage);
          return videoOutput(await clients.videos().RerunStage({ ...request, stage }));
        },
      ),
    );
}

/** The output of a dry run. */
async function previewChange(clients: AdminClients, verb: string, request: Request): Promise<Output> {
  const details = await clients.videos().ShowVideo(request);
  const { was, becomes } = previewOf(details, verb);
  if (verb === 'retry')
    return dryRunOutput(`start attempt ${details.attempt + 1} of video ${request.videoId}`, { was, becomes });
  const noChange = `change nothing: video ${request.videoId} is ${was}`;
  return dryRunOutput(was === becomes ? noChange : `${verb} video ${request.videoId}: ${was} → ${becomes}`, {
    was,
    becomes,
  });
}

/** Catalog's preview of the verb. FAILED_PRECONDITION, with catalog's message, if it would reject it. */
function previewOf({ actionPreviews }: VideoDetailsOut, ...actions: readonly string[]): ActionPreviewOut {
  const found = actions
    .map((action) => actionPreviews.find((one) => one.action === action))
    .find((one) => one !== undefined);
  if (!found) throw new AppError('FAILED_PRECONDITION', 'this version of catalog cannot preview the verb');
  if (found.rejection !== undefined) throw new AppError('FAILED_PRECONDITION', found.rejection);
  return found;
}

async function previewRerun(clients: AdminClients, request: Request, stage: string): Promise<Output> {
  const details = await clients.videos().ShowVideo(request);
  previewOf(details, `rerun ${stage}`, 'rerun');
  const now = details.stages.findLast((one) => one.stage === stage);
  return dryRunOutput(`request revision ${(now?.revision ?? 0) + 1} of ${stage} of video ${request.videoId}`);
}
