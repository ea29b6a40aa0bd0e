/**
 * Notices that a stream was rolled back: its store is an older copy, which lacks messages that JetStream has
 * acknowledged to this process. What is published next takes their sequences.
 */
export type StreamPosition = ReturnType<typeof streamPosition>;

export function streamPosition() {
  let highest = 0;
  let lostFrom = Infinity;
  return {
    /** The highest sequence that this process knows of. Read it before a message is sent. */
    highest: (): number => highest,
    /** Messages up to this sequence were acknowledged to earlier processes. */
    raise: (sequence: number): void => void (highest = Math.max(highest, sequence)),
    /**
     * A message that is no duplicate was stored.
     * @param sentAfter `highest` when it was sent: every later message has a higher sequence, unless some were lost
     */
    acknowledged: (sequence: number, sentAfter: number): void => {
      if (sequence <= sentAfter) lostFrom = Math.min(lostFrom, sequence);
      highest = Math.max(highest, sequence);
    },
    /**
     * The stream's last sequence was read.
     * @param readAfter `highest` when the request was sent
     * @returns the sequence after which messages are missing; undefined if none are. Reported once.
     */
    observed: (last: number, readAfter: number): number | undefined => {
      if (last < readAfter) lostFrom = Math.min(lostFrom, last + 1);
      const missingAfter = lostFrom === Infinity ? undefined : lostFrom - 1;
      highest = missingAfter === undefined ? Math.max(highest, last) : last;
      lostFrom = Infinity;
      return missingAfter;
    },
  };
}
