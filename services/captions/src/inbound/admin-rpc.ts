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
import type { CorrectionRequest, readTrack } from './correct-track.ts';
import type { RerunRequest } from './rerun-tracks.ts';
import { tracksMessage } from './rpc.ts';

export type Deps = {
  readonly find: (videoId: string) => Promise<SavedTracks>;
  readonly rerun: (request: RerunRequest) => Promise<void>;
  readonly read: (videoId: string, language: string) => ReturnType<typeof readTrack>;
  readonly correct: (request: CorrectionRequest) => Promise<void>;
  readonly coverage: Coverage;
  readonly targets: readonly string[];
};

const staff = ['vdsctl'];

export function captionsAdmin(deps: Deps): Served {
  return service<CaptionsAdminHandlers>(
    captions.CaptionsAdmin.service,
    { RerunTracks: staff, ReadTrack: staff, CorrectTrack: staff, ListLanguages: staff },
    {
      RerunTracks: async ({ videoId, languages, overwriteCorrected, ...by }, call) => {
        await deps.rerun({ videoId, languages, overwriteCorrected, ...checkBy(by, call) });
        return tracksMessage(await deps.find(videoId));
      },
      ReadTrack: async ({ videoId, language }) => {
        const { track, cues, ...read } = await deps.read(videoId, language);
        return { ...read, track: trackMessage(track), cues: cues.map((cue) => ({ ...cue, lines: [...cue.lines] })) };
      },
      CorrectTrack: async ({ videoId, language, file, fix, validateOnly, ...by }, call) => {
        await deps.correct({ videoId, language, change: fix ?? { file }, validateOnly, ...checkBy(by, call) });
        return tracksMessage(await deps.find(videoId));
      },
      ListLanguages: ({ refresh }) => listLanguages(deps, refresh),
    },
  );
}

async function listLanguages({ coverage, targets }: Deps, refresh: boolean): Promise<Languages> {
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
