/** gRPC for the operator: queries of one organization's views, and what erases events. */
import { randomBytes } from 'node:crypto';
import { analytics } from '@vds/proto';
import type { AnalyticsAdminHandlers } from '@vds/proto/generated/vds/analytics/v1/AnalyticsAdmin.ts';
import { checkBy } from '@vds/chassis/database/audit';
import { AppError } from '@vds/chassis/errors';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import type { Logger } from '@vds/chassis/telemetry/log';
import {
  accessEngines,
  grantStatements,
  revokeStatements,
  type Access,
  type AccessEngine,
} from '../domain/warehouse/access.ts';
import type { EventStore } from '../outbound/store.ts';

type Deps = {
  readonly store: EventStore;
  /** What access is described by, and the engine that is meant if none is named. */
  readonly access: Omit<Access, 'organizationId' | 'password'> & { readonly engine: AccessEngine };
  readonly log: Logger;
};

const MAX_SQL = 20_000;
const operator = ['vdsctl'];
const callers = { Query: operator, DescribeAccess: operator, DeleteViewer: operator, DeleteOrganization: operator };

export function analyticsAdmin({ store, access, log }: Deps): Served {
  return service<AnalyticsAdminHandlers>(analytics.AnalyticsAdmin.service, callers, {
    Query: async ({ organizationId, sql, fromDay, toDay }) => {
      if (sql.length > MAX_SQL) throw new AppError('INVALID_ARGUMENT', `a query has at most ${MAX_SQL} characters`);
      const { columns, rows, isCut } = await store.query(checkOrganization(organizationId), sql, {
        from: checkDay(fromDay),
        to: checkDay(toDay),
      });
      return { columns: [...columns], rows: rows.map((row) => JSON.stringify(row)), isCut };
    },
    DescribeAccess: async ({ organizationId: id, engine: named, revoke }) => {
      const engine = accessEngines.find((one) => one === (named || access.engine));
      if (!engine) throw new AppError('INVALID_ARGUMENT', `the engine is one of ${accessEngines.join(', ')}`);
      const statements = revoke ? revokeStatements : grantStatements;
      const password = randomBytes(24).toString('base64url');
      return { text: statements(engine, { ...access, organizationId: checkOrganization(id), password }) };
    },
    DeleteViewer: async ({ organizationId, viewerId, ...by }, call) => {
      const { actor, reason } = checkBy(by, call);
      if (!/^[\w-]{1,64}$/.test(viewerId)) throw new AppError('INVALID_ARGUMENT', 'viewer_id is one of the views');
      const events = await store.deleteViewer(checkOrganization(organizationId), viewerId);
      log.warn({ organization_id: organizationId, events, actor, reason }, 'events of a viewer removed');
      return { events };
    },
    DeleteOrganization: async ({ organizationId, ...by }, call) => {
      const { actor, reason } = checkBy(by, call);
      await store.deleteOrganization(checkOrganization(organizationId));
      log.warn({ organization_id: organizationId, actor, reason }, 'events of an organization removed');
      return { events: 0 };
    },
  });
}

/** '' for none. It becomes part of a filter. */
function checkDay(day: string): string {
  if (day === '' || /^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  throw new AppError('INVALID_ARGUMENT', `a day is written as 2026-11-26, not '${day}'`);
}

/** It becomes part of keys. */
function checkOrganization(organizationId: string): string {
  if (/^org_[0-9A-Za-z]{1,40}$/.test(organizationId)) return organizationId;
  throw new AppError('INVALID_ARGUMENT', 'organization_id is the id of an organization, such as org_…');
}
