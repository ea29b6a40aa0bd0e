/** Whether a new index may replace the served one. */

/**
 * A list of videos that a reader could not see in full (a restored database, a wrong address) looks like an empty one.
 * @param found live videos of the new index
 * @param served live videos of the served index
 */
export function isSuspiciouslySmall(found: number, served: number): boolean {
  return found < served / 2;
}
