/** Bounds on a key's minute count from outside, by the times at which its requests were sent and answered. */

type Span = { readonly sent: number; readonly answered: number };

/** The length of the window, in milliseconds. */
const MINUTE_MS = 60_000;

/** The log of one key. Its requests are sent one after the other. */
export function openMinuteLog() {
  let spans: Span[] = [];
  return {
    /**
     * Records an admitted request.
     * @param used the count in the response
     * @returns whether it is within the bounds that this key's own requests permit
     */
    agrees: (request: Span, used: number): boolean => {
      spans.push(request);
      if (spans.length % 1_000 === 0) spans = spans.filter(({ answered }) => answered >= request.sent - 2 * MINUTE_MS);
      const least = spans.filter(({ sent }) => sent > request.answered - MINUTE_MS).length;
      const most = spans.filter(({ answered }) => answered >= request.sent - MINUTE_MS).length;
      return used >= least && used <= most;
    },
  };
}
