/** ClickHouse's own engine, from the Python package chdb, behind the HTTP interface of a server. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Undefined where `VDS_CHDB_PYTHON` names no Python: the package is half a gigabyte, and only these tests need it. */
export function clickhouseAdapter(): { readonly python: string; readonly script: string } | undefined {
  const python = process.env['VDS_CHDB_PYTHON'] ?? '';
  const script = fileURLToPath(new URL('./clickhouse-adapter.py', import.meta.url));
  return existsSync(python) ? { python, script } : undefined;
}
