/** Findings of a reconciliation, for people. */

type Finding = {
  readonly kind: string;
  readonly videoId: string;
  readonly owner: string;
  readonly repair: string;
  readonly repaired: boolean;
};
/** The findings of one kind at one service. */
export type Summary = Pick<Finding, 'kind' | 'owner' | 'repair'> & {
  readonly count: number;
  readonly repaired: number;
  /** The first videos. */
  readonly first: readonly string[];
};

const mostIds = 3;

export function summarize(findings: readonly Finding[]): readonly Summary[] {
  const groups = Map.groupBy(findings, ({ kind, owner, repair }) => JSON.stringify([kind, owner, repair]));
  return [...groups.values()].map((group) => {
    const { kind = '', owner = '', repair = '' } = group[0] ?? {};
    const repaired = group.filter((finding) => finding.repaired).length;
    return {
      kind,
      owner,
      repair,
      count: group.length,
      repaired,
      first: group.slice(0, mostIds).map((one) => one.videoId),
    };
  });
}

/**
 * Whether catalog looks like the wrong database: it does not know most of the videos.
 * @param videos how many videos any service knows
 */
export function isSuspicious(findings: readonly Finding[], videos: number): boolean {
  const unknown = new Set(findings.filter(({ kind }) => kind === 'unknown_video').map(({ videoId }) => videoId));
  return unknown.size > videos / 2;
}
