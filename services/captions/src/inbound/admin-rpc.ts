/** gRPC for operators (vdsctl), on a port of its own. */
import { captions } from '@vds/proto';
import type { CaptionsAdminHandlers } from '@vds/proto/generated/vds/captions/v1/CaptionsAdmin.ts';
import type { Languages } from '@vds/proto/generated/vds/captions/v1/Languages.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { coverageOf } from '../domain/coverage.ts';
import type { Coverage } from '../outbound/coverage.ts';
import type { SavedTracks } from '../outbound/caption-rows.ts';
import type { RerunRequest } from './rerun-tracks.ts';
import { tracksMessage } from './rpc.ts';

export type Deps = {
  readonly find: (videoId: string) => Promise<SavedTracks>;
  readonly rerun: (request: RerunRequest) => Promise<void>;
  readonly coverage: Coverage;
  readonly targets: readonly string[];
};

/** The caller must not wait for a slow engine. */
const patienceMs = 4_000;

const staff = ['vdsctl'];

export function captionsAdmin(deps: Deps): Served {
  return service<CaptionsAdminHandlers>(
    captions.CaptionsAdmin.service,
    { ShowTracks: staff, RetryTracks: staff, ListLanguages: staff },
    {
      ShowTracks: async ({ videoId }) => tracksMessage(await deps.find(videoId)),
      RetryTracks: async ({ videoId, languages: wanted, actor, reason }, { caller }) => {
        await deps.rerun({ videoId, languages: wanted, actor: actor === '' ? caller : actor, reason });
        return tracksMessage(await deps.find(videoId));
      },
      ListLanguages: ({ refresh }) => languages(deps, refresh),
    },
  );
}

async function languages({ coverage, targets }: Deps, refresh: boolean): Promise<Languages> {
  const known = await coverage.known(refresh, patienceMs);
  return {
    speechEngine: coverage.speechEngine,
    speechLanguages: [...(known.speechLanguages ?? [])],
    translationEngine: coverage.translationEngine,
    targets: [...targets],
    routes: coverageOf(known, targets).map(({ source, target, path }) => ({ source, target, path: [...path] })),
    checkedAt: coverage.checkedAt().toISOString(),
  };
}
