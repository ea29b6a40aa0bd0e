/** Performance data of the running stack: what the organizations' views say, for the page and the demo's own lines. */
import { analytics, auth } from '@vds/proto';
import type { AnalyticsAdminClient } from '@vds/proto/generated/vds/analytics/v1/AnalyticsAdmin.ts';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { AppError } from '@vds/chassis/errors';
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
/** Of one video. */
export type VideoFigures = {
  readonly total: Row;
  /** The last two weeks with plays. */
  readonly days: readonly Row[];
  readonly retention: readonly Row[];
};
export type PerformanceData = {
  /** @throws AppError INVALID_ARGUMENT for what is no id */
  readonly readVideo: (videoId: string) => Promise<VideoFigures>;
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

/** `loads` sums up exactly what `daily` has by day. */
export function videoQueries(id: string) {
  return {
    total: `SELECT any_value(video_title) AS video_title, max(video_duration_ms) AS video_duration_ms, count(*) AS loads,
      count_if(was_asked) AS plays, count_if(was_asked AND has_started) AS starts,
      count_if(was_asked AND NOT has_started AND has_failed) AS failed_starts,
      count_if(was_asked AND NOT has_started AND NOT has_failed) AS exits_before_start,
      count(DISTINCT CASE WHEN was_asked THEN viewer_id END) AS viewers, sum(watched_ms) AS watched_ms,
      sum(stalled_ms) / nullif(sum(watched_ms + stalled_ms), 0) AS rebuffering_share, median(startup_ms) AS startup_ms_median
    FROM loads WHERE video_id = '${id}' HAVING count(*) > 0`,
    days: `SELECT * FROM (SELECT began_on, plays FROM daily WHERE video_id = '${id}' AND plays > 0
    ORDER BY began_on DESC LIMIT 14) ORDER BY began_on`,
    retention: `SELECT twentieth, seen_share FROM retention WHERE video_id = '${id}' ORDER BY twentieth`,
  };
}

/** From running services. */
export function performanceDataOf(services: PlatformServices): PerformanceData {
  const config = { rpcToken: services.tokens[OPERATOR], ...tlsOf(services) };
  const client = rpcClient<AnalyticsAdminClient>(analytics.AnalyticsAdmin, {
    ...{ target: services.rpc('analytics', 'adminRpc'), config, timeoutMs: 60_000 },
  });
  const accounts = rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: services.rpc('auth', 'adminRpc'), config });
  const query = async (organizationId: string, sql: string): Promise<Row[]> =>
    (await client.Query({ organizationId, sql })).rows.map((row) => JSON.parse(row) as Row);
  const all = async (sql: string): Promise<Row[]> => {
    const { organizations } = await accounts.ListOrganizations({});
    return (await Promise.all(organizations.map(({ id }) => query(id, sql)))).flat();
  };
  return {
    readVideo: async (videoId) => {
      if (!/^[0-9a-z]{26}$/.test(videoId)) throw new AppError('INVALID_ARGUMENT', 'a video is named by its id');
      const { total, days, retention } = videoQueries(videoId);
      // Of one organization: the others' queries answer nothing.
      const [[sums = {}], byDay, seen] = await Promise.all([all(total), all(days), all(retention)]);
      return { total: sums, days: byDay, retention: seen };
    },
    read: async () => {
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
