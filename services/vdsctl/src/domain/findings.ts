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

const MAX_IDS = 3;

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
      first: group.slice(0, MAX_IDS).map((one) => one.videoId),
    };
  });
}

/** Kinds whose repair purges a video's data, or processes it again. */
const drastic: ReadonlySet<string> = new Set([
  'unknown_video',
  'objects_missing',
  'document_unreadable',
  'not_playable',
  'work_cancelled',
  'older_result',
]);
const USUAL_SHARE = 0.1;
/** Below this many videos, a share says little. */
const FEW = 10;

/**
 * Videos that a repair would purge or process again, where they are so many that a service more likely has the wrong
 * database or bucket: more than half, or more than ten and a tenth.
 * @param stored how many videos any service keeps data of
 * @returns null: so many are to be expected
 */
export function suspicion(findings: readonly Finding[], stored: number): string | null {
  const repaired = findings.filter(({ kind, repair }) => drastic.has(kind) && repair !== '');
  const videos = new Set(repaired.map(({ videoId }) => videoId)).size;
  const most = Math.max(stored * USUAL_SHARE, Math.min(FEW, stored / 2));
  if (videos <= most) return null;
  const groups = summarize(repaired).map(({ kind, owner, count }) => `${kind} at ${owner}: ${count}`);
  return `${videos} of ${stored} videos would be purged or processed again (${groups.join(', ')})`;
}
