/** Performance data of the running stack: what the organizations' views say, for the page and the demo's own lines. */
import { analytics, auth } from '@vds/proto';
import type { AnalyticsAdminClient } from '@vds/proto/generated/vds/analytics/v1/AnalyticsAdmin.ts';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { OPERATOR } from '@vds/deploy-tools/services';
import { tlsOf, type PlatformServices } from './discovery.ts';

type Row = Readonly<Record<string, unknown>>;
export type Performance = {
  readonly hourly: readonly Row[];
  readonly retention: readonly Row[];
  /** The newest plays first. */
  readonly plays: readonly Row[];
};
export type PerformanceData = {
  /** Of every organization together. */
  readonly read: () => Promise<Performance>;
  readonly close: () => Promise<void>;
};

const QUERIES = {
  hourly: `SELECT began_hour, plays, startup_ms_median, rebuffering_share FROM hourly ORDER BY began_hour DESC LIMIT 24`,
  retention:
    'SELECT twentieth, sum(seen_plays) AS seen, sum(plays) AS plays FROM retention GROUP BY twentieth ORDER BY twentieth',
  plays: `SELECT view_id, video_id, video_title, began_at, ended_at, watched_ms, stalls, stalled_ms, startup_ms, has_failed
    FROM plays ORDER BY began_at DESC LIMIT 10`,
} as const;

/** From running services. */
export function performanceDataOf(services: PlatformServices): PerformanceData {
  const config = { rpcToken: services.tokens[OPERATOR], ...tlsOf(services) };
  const client = rpcClient<AnalyticsAdminClient>(analytics.AnalyticsAdmin, {
    ...{ target: services.rpc('analytics', 'adminRpc'), config, timeoutMs: 60_000 },
  });
  const accounts = rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: services.rpc('auth', 'adminRpc'), config });
  const query = async (organizationId: string, sql: string): Promise<Row[]> =>
    (await client.Query({ organizationId, sql })).rows.map((row) => JSON.parse(row) as Row);
  return {
    read: async () => {
      const { organizations } = await accounts.ListOrganizations({});
      const all = async (sql: string): Promise<Row[]> =>
        (await Promise.all(organizations.map(({ id }) => query(id, sql)))).flat();
      const [hourly, retention, plays] = await Promise.all([
        all(QUERIES.hourly),
        all(QUERIES.retention),
        all(QUERIES.plays),
      ]);
      return { hourly, retention, plays };
    },
    close: async () => {
      await Promise.all([client.close(), accounts.close()]);
    },
  };
}

/** Names a play: a video in one session of a player. */
export function playOf({ view_id: view, video_id: video }: Row): string {
  return `${String(view)} ${String(video)}`;
}

/** One line for each play that a reader has not seen yet. */
export function describePlays(plays: readonly Row[], known: ReadonlySet<string>): string[] {
  return plays
    .filter((play) => !known.has(playOf(play)))
    .map(
      ({ video_title: title, watched_ms: watched, stalls, startup_ms: startup }) =>
        `a view of “${String(title)}”: watched ${seconds(watched)}, ${String(stalls)} stalls, first picture after ${seconds(startup)}`,
    );
}

function seconds(ms: unknown): string {
  return ms === null || ms === undefined ? 'an unknown time' : `${(Number(ms) / 1_000).toFixed(1)} s`;
}
