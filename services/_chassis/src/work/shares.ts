/** Bulkheads: how many of a process's slots of a queue one tenant, or one origin, may hold. */

/** Parts of the slots, between 0 and 1; one slot is always granted. */
export type Shares = {
  /** Of one tenant, while others wait. */
  readonly tenant: number;
  /** Of one origin, while others wait. */
  readonly origin?: number;
  /**
   * Of one tenant, even while nobody else waits: for jobs that may hold a slot so long that a later tenant would find
   * none.
   */
  readonly most?: number;
};
export const halfEach: Shares = { tenant: 1 / 2 };

type Holder = { readonly tenant: string; readonly origin: string };
export type TakenShares = {
  /** Tenants that may have no further job claimed. */
  readonly closed: readonly string[];
  /** Tenants and origins that go last. */
  readonly crowdedTenants: readonly string[];
  readonly crowdedOrigins: readonly string[];
};

/** Tenants and origins that hold their full share of `slots`. */
export function takenShares(running: readonly Holder[], slots: number, shares: Shares): TakenShares {
  const { tenant, origin, most } = shares;
  return {
    closed: most === undefined ? [] : holding(running, 'tenant', Math.ceil(slots * most)),
    crowdedTenants: holding(running, 'tenant', Math.floor(slots * tenant)),
    crowdedOrigins: origin === undefined ? [] : holding(running, 'origin', Math.floor(slots * origin)),
  };
}

function holding(running: readonly Holder[], by: keyof Holder, share: number): string[] {
  const groups = Object.entries(Object.groupBy(running, (job) => job[by]));
  return groups.filter(([, jobs]) => (jobs?.length ?? 0) >= Math.max(1, share)).map(([name]) => name);
}
