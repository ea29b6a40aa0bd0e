/**
 * The judge of "this video exists once and is complete": what must or must not exist for a video's final status. Pure.
 */
export type FinalVideo = {
  readonly id: string;
  /** Of its submission. */
  readonly title: string;
  /** Undefined if the partner's interface does not know it. */
  readonly status: string | undefined;
  readonly failure?: string;
  /** Statuses of its caption tracks. */
  readonly tracks: readonly string[];
  /** `plays`, `closed`, or what is wrong with the stream. */
  readonly playback: string;
  /** Of its row in catalog's database. */
  readonly version: number;
  /** Versions of the documents in the index with more than the fact of a deletion. */
  readonly documents: readonly number[];
  /** Objects, rows and documents that are left of it. */
  readonly remains: readonly string[];
};

export type Violation = { readonly rule: string; readonly subject: string; readonly detail: string };

/** One violation. */
export function violation(rule: string, subject: string, detail: string): Violation {
  return { rule, subject, detail };
}

/** Every violation of one video; none if it is as its status demands. */
export function outcomeViolations({
  id,
  status,
  tracks,
  playback,
  version,
  documents,
  remains,
}: FinalVideo): Violation[] {
  const found: Violation[] = [];
  const isReady = status === 'ready';
  const bad = tracks.filter((track) => track === 'processing' || track === 'failed');
  if (bad.length > 0) found.push(violation('every caption track is made or skipped', id, bad.join(' ')));
  if (isReady && playback !== 'plays') found.push(violation('a ready video plays', id, playback));
  if (!isReady && playback !== 'closed')
    found.push(violation(`a video that is not ready does not play`, id, `${status}, and ${playback}`));
  if (documents.length !== (isReady ? 1 : 0))
    found.push(violation('the index has exactly the ready videos', id, `${status}, and ${documents.length} documents`));
  else if (isReady && documents[0] !== version)
    found.push(violation('the index has the newest version', id, `${documents[0]} instead of ${version}`));
  if (status === 'deleted' && remains.length > 0)
    found.push(violation('nothing is left of a deleted video', id, remains.slice(0, 5).join(', ')));
  return found;
}
