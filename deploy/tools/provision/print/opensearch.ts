/**
 * The role of the search index's users for the security plugin of OpenSearch: the permissions that the requests of
 * services/indexer/src/outbound need, on the indexes of the installation.
 */
import { commaSeparated, optional, readConfig, text } from '@vds/chassis/config/config';
import { indexPrefix } from '../../installation.ts';
import { readNames } from '../names.ts';

type Permissions = { readonly cluster?: readonly string[]; readonly index: readonly string[] };

/** Permissions by the end of a request's path. `/` is an index itself. */
export const requests: Readonly<Record<string, Permissions>> = {
  '/': { index: ['indices:admin/create', 'indices:admin/delete'] },
  _aliases: { index: ['indices:admin/aliases'] },
  _alias: { index: ['indices:admin/aliases/get'] },
  _mapping: { index: ['indices:admin/mappings/get'] },
  _settings: { index: ['indices:admin/settings/update', 'indices:monitor/settings/get'] },
  _refresh: { index: ['indices:admin/refresh*'] },
  _stats: { index: ['indices:monitor/stats'] },
  _doc: { index: ['indices:data/read/get', 'indices:data/write/index', 'indices:data/write/bulk*'] },
  _bulk: {
    cluster: ['indices:data/write/bulk'],
    index: [
      'indices:data/write/bulk*',
      'indices:data/write/index',
      'indices:data/write/delete',
      'indices:admin/mapping/auto_put',
    ],
  },
  _mget: { cluster: ['indices:data/read/mget'], index: ['indices:data/read/mget*'] },
  _search: { index: ['indices:data/read/search*'] },
  _count: { index: ['indices:data/read/search*'] },
  _msearch: { cluster: ['indices:data/read/msearch'], index: ['indices:data/read/search*'] },
  point_in_time: {
    cluster: ['indices:data/read/point_in_time/delete'],
    index: ['indices:data/read/point_in_time/create', 'indices:data/read/point_in_time/delete'],
  },
  _delete_by_query: {
    cluster: ['indices:data/write/bulk', 'indices:data/read/scroll*'],
    index: ['indices:data/write/delete/byquery', 'indices:data/read/search*', 'indices:data/write/bulk*'],
  },
  _update_by_query: {
    cluster: ['indices:data/write/bulk', 'indices:data/read/scroll*'],
    index: ['indices:data/write/update/byquery', 'indices:data/read/search*', 'indices:data/write/bulk*'],
  },
};

/** Not every name after the prefix: `vod-*` would include the indexes of the installation `vod-eu`. */
const indexes = ['videos', 'videos-*', 'watched', 'indexer'];

/**
 * JSON: path of the security plugin’s interface → body, each for a PUT. OPENSEARCH_USER has the names of one or more users,
 * OPENSEARCH_ROLES those of roles of the cloud, which take their place.
 */
export function openSearchRole(environment: Readonly<Record<string, string | undefined>>): string {
  const { prefix, user } = readNames(environment);
  const settings = readConfig(
    {
      indexPrefix: ['INDEX_PREFIX', optional(text)],
      users: ['OPENSEARCH_USER', commaSeparated],
      roles: ['OPENSEARCH_ROLES', commaSeparated],
    } as const,
    environment,
  );
  const role = user('indexer');
  const bodies = {
    [`_plugins/_security/api/roles/${role}`]: {
      description: 'The search index of the Video Distribution Service',
      cluster_permissions: all(({ cluster = [] }) => cluster),
      index_permissions: [
        {
          index_patterns: indexes.map((name) => `${settings.indexPrefix ?? indexPrefix(prefix)}${name}`),
          allowed_actions: all(({ index }) => index),
        },
      ],
    },
    [`_plugins/_security/api/rolesmapping/${role}`]: mappingOf(settings, role),
  };
  return `${JSON.stringify(bodies, null, 2)}\n`;
}

function mappingOf(
  { users, roles }: { readonly users: readonly string[]; readonly roles: readonly string[] },
  role: string,
) {
  const named = users.length > 0 || roles.length > 0 ? users : [role];
  return { ...(named.length > 0 && { users: named }), ...(roles.length > 0 && { backend_roles: roles }) };
}

function all(part: (permissions: Permissions) => readonly string[]): string[] {
  return [...new Set(Object.values(requests).flatMap(part))].toSorted();
}
