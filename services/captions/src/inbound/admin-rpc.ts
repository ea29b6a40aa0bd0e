/** gRPC for the operator's staff (vdsctl), on a port of its own. */
import { captions } from '@vds/proto';
import type { CaptionsAdminHandlers } from '@vds/proto/generated/vds/captions/v1/CaptionsAdmin.ts';
import type { Languages } from '@vds/proto/generated/vds/captions/v1/Languages.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { coverageOf } from '../domain/coverage.ts';
import type { Coverage } from '../outbound/coverage.ts';
import type { SavedTracks } from '../outbound/titles.ts';
import type { RetryOrder } from './retry.ts';
import { tracksMessage } from './rpc.ts';

export type Deps = {
  readonly find: (videoId: string) => Promise<SavedTracks>;
  readonly retry: (order: RetryOrder) => Promise<void>;
  readonly coverage: Coverage;
  readonly targets: readonly string[];
};

/** Who asks waits for an answer, not for an engine. */
const patienceMs = 4_000;

const staff = ['vdsctl'];

export function captionsAdmin(verbs: Deps): Served {
  return service<CaptionsAdminHandlers>(
    captions.CaptionsAdmin.service,
    { ShowTracks: staff, RetryTracks: staff, ListLanguages: staff },
    {
      ShowTracks: async ({ videoId }) => tracksMessage(await verbs.find(videoId)),
      RetryTracks: async ({ videoId, languages: wanted, actor, reason }, { caller }) => {
        await verbs.retry({ videoId, languages: wanted, actor: actor === '' ? caller : actor, reason });
        return tracksMessage(await verbs.find(videoId));
      },
      ListLanguages: ({ refresh }) => languages(verbs, refresh),
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
    lookedAt: coverage.lookedAt().toISOString(),
  };
}
