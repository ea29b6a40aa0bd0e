/**
 * Checks proto/openapi.yaml: Redocly's recommended rules (proto/redocly.yaml), without a warning, and rules for this
 * document: enums equal the tables of the code, statuses and scopes are known, and every request and response has an
 * example.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { withTables } from '@vds/proto/contract-tables';
import { VideoState } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { errorTable } from '@vds/chassis/errors';
import { parseDocument } from 'yaml';
import { outcomeOf, type Outcome } from './charts/outcome.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const LINT_CONFIG = fileURLToPath(import.meta.resolve('@vds/proto/redocly.yaml'));

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']);
const statuses = new Set(['200', '202', '304', '400', '401', '403', '404', '429', '500']);
const scopes = ['videos:read', 'videos:write'].map((scope) => JSON.stringify([{ apiKey: [scope] }]));

const states = Object.keys(VideoState)
  .map((name) => name.replace('VIDEO_STATE_', '').toLowerCase())
  .filter((name) => name !== 'unspecified');
/** Codes that share one internal error code: which credentials are wrong, and which limit was reached. */
const finer = ['missing_credentials', 'daily_ingest_limit'];
const partnerCodes = [...new Set([...Object.values(errorTable).map(({ partner }) => partner), ...finer])];

export async function checkOpenapi(root: string): Promise<Outcome> {
  return outcomeOf(await openapiFaults(readFileSync(join(root, 'proto/openapi.yaml'), 'utf8')));
}

/** All violations in the text of an openapi.yaml. */
export async function openapiFaults(text: string): Promise<string[]> {
  const parsed = parseDocument(text, { uniqueKeys: true });
  if (parsed.errors.length > 0) return parsed.errors.map(({ message }) => message);
  const document = parsed.toJS() as Json;
  const version = at(document, ['openapi']);
  return [
    ...(typeof version === 'string' && version.startsWith('3.1.') ? [] : ['openapi must be 3.1']),
    ...(await lintFaults(text)),
    ...operationFaults(document),
    ...(withTables(text) === text ? [] : ['a table is not current: run npm run generate -- contracts']),
    ...sameSet(document, 'Video.properties.status', states, 'VideoState of catalog.proto'),
    ...sameSet(document, 'Error.properties.error.properties.code', partnerCodes, 'the error table'),
  ];
}

async function lintFaults(source: string): Promise<string[]> {
  const config = await loadConfig({ configPath: LINT_CONFIG });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.yaml' });
  return problems.map(({ message, location, ruleId }) => `${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})`);
}

/** The value at a path of keys; undefined if a key is missing. */
function at(value: Json, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((inner, key) => entries(inner).find(([name]) => name === key)?.[1], value);
}

function entries(value: Json | undefined): [string, Json][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function operationFaults(document: Json): string[] {
  const operations = entries(at(document, ['paths'])).flatMap(([path, item]) =>
    entries(item).flatMap(([method, operation]) => (methods.has(method) ? [{ path, method, operation }] : [])),
  );
  return operations.flatMap(({ path, method, operation }) => {
    const name = `${method.toUpperCase()} ${path}`;
    const request = at(operation, ['requestBody']);
    const responses = entries(at(operation, ['responses']));
    return [
      ...(scopes.includes(JSON.stringify(at(operation, ['security']))) ? [] : [`${name} names no scope`]),
      ...responses
        .filter(([status]) => !statuses.has(status))
        .map(([status]) => `${name} answers ${status}, which partners never see`),
      ...(request === undefined || hasExample(document, request) ? [] : [`${name} has no example`]),
      ...responses
        // A 304 has no body.
        .filter(([status, response]) => status !== '304' && !hasExample(document, response))
        .map(([status]) => `${name} ${status} has no example`),
    ];
  });
}

function hasExample(document: Json, body: Json): boolean {
  const ref = at(body, ['$ref']);
  const resolved = typeof ref === 'string' ? at(document, ref.replace(/^#\//, '').split('/')) : body;
  return entries(at(resolved ?? null, ['content', 'application/json', 'examples'])).length > 0;
}

function sameSet(document: Json, path: string, wanted: readonly string[], source: string): string[] {
  const found = enumAt(document, path);
  return [
    ...wanted.filter((one) => !found.includes(one)).map((one) => `${path} lacks ${one} of ${source}`),
    ...found.filter((one) => !wanted.includes(one)).map((one) => `${path} has ${one}, which ${source} does not know`),
  ];
}

function enumAt(document: Json, path: string): string[] {
  const value = at(document, ['components', 'schemas', ...path.split('.'), 'enum']);
  return Array.isArray(value) ? value.map(String) : [];
}
