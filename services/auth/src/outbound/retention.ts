/** How long the rows of auth's tables are kept. */
import type { Retention } from '@vds/chassis/database/retention';

/** A revoked key is unknown once its row is gone, which has the same response. */
export function retentionOf({ auditKeepMs }: { readonly auditKeepMs: number }): Retention {
  return {
    api_keys: { keepMs: auditKeepMs, expired: (before) => `revoked_at < ${before}` },
    audit: { keepMs: auditKeepMs, pruneBy: 'prune_audit' },
    minute_windows: 'removed once idle, by the task collect-garbage',
    signing_keys: 'removed once retired, by the task collect-garbage',
    organizations: 'one row for each organization',
    publishers: 'one row for each publisher',
    staff: { keepMs: auditKeepMs, expired: (before) => `revoked_at < ${before}` },
  };
}
