/** gRPC for operators (vdsctl), on a port of its own. */
import { captions } from '@vds/proto';
import type { CaptionsAdminHandlers } from '@vds/proto/generated/vds/captions/v1/CaptionsAdmin.ts';
import type { Languages } from '@vds/proto/generated/vds/captions/v1/Languages.ts';
import { checkBy } from '@vds/chassis/database/audit';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { coverageOf } from '../domain/coverage.ts';
import { RPC_TIMEOUT_MS, type Coverage } from '../outbound/coverage.ts';
import type { SavedTracks } from '../outbound/caption-rows.ts';
import { trackMessage } from '../outbound/publisher.ts';
import { correctTrack, readTrack } from './correct-track.ts';
import type { Deps } from './deps.ts';
import { rerunTracks } from './rerun-tracks.ts';
import { tracksMessage } from './rpc.ts';

type OperatorDeps = Deps & {
  readonly stages: Parameters<typeof rerunTracks>[1];
  readonly find: (videoId: string) => Promise<SavedTracks>;
  readonly coverage: Coverage;
};

const staff = ['vdsctl'];

export function captionsAdmin(deps: OperatorDeps): Served {
  return service<CaptionsAdminHandlers>(
    captions.CaptionsAdmin.service,
    { RerunTracks: staff, ReadTrack: staff, CorrectTrack: staff, ListLanguages: staff },
    {
      RerunTracks: async ({ videoId, languages, overwriteCorrected, ...by }, call) => {
        await rerunTracks(deps, deps.stages, { videoId, languages, overwriteCorrected, ...checkBy(by, call) });
        return tracksMessage(await deps.find(videoId));
      },
      ReadTrack: async ({ videoId, language }) => {
        const { track, cues, ...read } = await readTrack(deps, videoId, language);
        return { ...read, track: trackMessage(track), cues: cues.map((cue) => ({ ...cue, lines: [...cue.lines] })) };
      },
      CorrectTrack: async ({ videoId, language, file, fix, validateOnly, ...by }, call) => {
        const request = { videoId, language, change: fix ?? { file }, validateOnly, ...checkBy(by, call) };
        await correctTrack(deps, deps.stages, request);
        return tracksMessage(await deps.find(videoId));
      },
      ListLanguages: ({ refresh }) => listLanguages(deps, refresh),
    },
  );
}

async function listLanguages({ coverage, targets }: OperatorDeps, refresh: boolean): Promise<Languages> {
  const capabilities = await coverage.capabilities({ force: refresh, timeoutMs: RPC_TIMEOUT_MS });
  return {
    speechEngine: coverage.speechEngine,
    speechLanguages: [...(capabilities.speechLanguages ?? [])],
    translationEngine: coverage.translationEngine,
    targets: [...targets],
    routes: coverageOf(capabilities, targets).map((route) => ({ ...route, path: [...route.path] })),
    checkedAt: coverage.checkedAt().toISOString(),
  };
}
