/** ClickHouse's own engine, from the Python package chdb: behind the HTTP interface of a server, or for some statements. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Undefined where `VDS_CHDB_PYTHON` names no Python: the package is half a gigabyte, and only these tests need it. */
export function clickhouseAdapter(): { readonly python: string; readonly script: string } | undefined {
  const python = process.env['VDS_CHDB_PYTHON'] ?? '';
  const script = fileURLToPath(new URL('./clickhouse-adapter.py', import.meta.url));
  return existsSync(python) ? { python, script } : undefined;
}

/** Prints the rows of the last statement, one JSON object a line; statements come by stdin, as they may have secrets. */
const RUN = `
import json, sys
from chdb.session import Session
session = Session()
result = None
for statement in json.load(sys.stdin):
    result = session.query(statement, "JSONEachRow")
sys.stdout.write(result.bytes().decode() if result is not None else "")
`;

/** The rows of the last of the statements. @throws Error with the engine's own text */
export async function askClickHouse<Row>(python: string, statements: readonly string[]): Promise<Row[]> {
  const child = spawn(python, ['-c', RUN], { stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(JSON.stringify(statements));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(errors);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
