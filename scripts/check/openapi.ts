/**
 * openapi.yaml is consistent, its enums match the failure table, the error table and the video's states, and every
 * request and response has valid examples.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failures } from '@vds/proto/failures';
import { VideoState } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { errorTable } from '@vds/chassis/errors';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { outcomeOf, type Outcome } from '@vds/charts/checks/outcome';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']);
const statuses = new Set(['200', '202', '400', '401', '403', '404', '429', '500']);
const scopes: readonly (Json | undefined)[] = ['videos:read', 'videos:write'];

const states = Object.keys(VideoState)
  .map((name) => name.replace('VIDEO_STATE_', '').toLowerCase())
  .filter((name) => name !== 'unspecified');
/** Codes that share one internal error code: which credentials are wrong, and which limit was reached. */
const finer = ['missing_credentials', 'daily_ingest_limit'];
const partnerCodes = [...new Set([...Object.values(errorTable).map(({ partner }) => partner), ...finer])];

export function checkOpenapi(root: string): Outcome {
  return outcomeOf(openapiFaults(readFileSync(join(root, 'proto/openapi.yaml'), 'utf8')));
}

/** All violations in the text of an openapi.yaml. */
export function openapiFaults(text: string): string[] {
  const parsed = parseDocument(text, { uniqueKeys: true });
  if (parsed.errors.length > 0) return parsed.errors.map(({ message }) => message);
  const document = parsed.toJS() as Json;
  const version = at(document, ['openapi']);
  return [
    ...(typeof version === 'string' && version.startsWith('3.1.') ? [] : ['openapi must be 3.1']),
    ...refFaults(document),
    ...operationFaults(document),
    ...(refFaults(document).length > 0 ? [] : exampleFaults(document)),
    ...sameSet(document, 'FailureCode', Object.keys(failures), 'proto/failures.ts'),
    ...sameSet(document, 'Video.properties.status', states, 'VideoState of catalog.proto'),
    ...sameSet(document, 'Error.properties.error.properties.code', partnerCodes, 'the error table'),
  ];
}

/** The value at a path of keys; undefined if a key is missing. */
function at(value: Json, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((inner, key) => entries(inner).find(([name]) => name === key)?.[1], value);
}

function entries(value: Json | undefined): [string, Json][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function refFaults(document: Json): string[] {
  const refs = new Set(refsIn(document));
  const dangling = [...refs].filter((ref) => at(document, ref.replace(/^#\//, '').split('/')) === undefined);
  const unused = entries(at(document, ['components'])).flatMap(([kind, parts]) =>
    kind === 'securitySchemes'
      ? []
      : entries(parts)
          .map(([name]) => `#/components/${kind}/${name}`)
          .filter((ref) => !refs.has(ref)),
  );
  return [...dangling.map((ref) => `${ref} leads nowhere`), ...unused.map((ref) => `${ref} is used by nobody`)];
}

function refsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  return entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}

function operationFaults(document: Json): string[] {
  const operations = entries(at(document, ['paths'])).flatMap(([path, item]) =>
    entries(item).flatMap(([method, operation]) => (methods.has(method) ? [{ path, method, operation }] : [])),
  );
  const ids = operations.map(({ operation }) => at(operation, ['operationId']));
  return operations.flatMap(({ path, method, operation }, index) => {
    const name = `${method.toUpperCase()} ${path}`;
    const id = ids[index];
    return [
      ...(typeof id === 'string' && ids.indexOf(id) === index ? [] : [`${name} has no operationId of its own`]),
      ...(scopes.includes(at(operation, ['x-scope'])) ? [] : [`${name} names no scope in x-scope`]),
      ...entries(at(operation, ['responses']))
        .filter(([status]) => !statuses.has(status))
        .map(([status]) => `${name} answers ${status}, which partners never see`),
    ];
  });
}

function exampleFaults(document: Json): string[] {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'contract', components: at(document, ['components']) });
  return contents(document).flatMap(([name, holder]) => {
    const media = at(holder, ['content', 'application/json']) ?? null;
    const examples = entries(at(media, ['examples']));
    if (examples.length === 0) return [`${name} has no example`];
    const schema = JSON.parse(
      JSON.stringify(at(media, ['schema']) ?? false).replaceAll('"#/', '"contract#/'),
    ) as object;
    const validate = ajv.compile(schema);
    return examples
      .filter(([, example]) => !validate(at(example, ['value']) ?? null))
      .map(([example]) => `${name}: the example ${example} breaks its schema`);
  });
}

/** Every request and response of an operation, with its name. */
function contents(document: Json): [string, Json][] {
  return entries(at(document, ['paths'])).flatMap(([path, item]) =>
    entries(item)
      .filter(([method]) => methods.has(method))
      .flatMap(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        const request = at(operation, ['requestBody']);
        const responses = entries(at(operation, ['responses'])).map(([status, response]): [string, Json] => [
          `${name} ${status}`,
          resolved(document, response),
        ]);
        return request === undefined ? responses : [[name, request] as [string, Json], ...responses];
      }),
  );
}

function resolved(document: Json, value: Json): Json {
  const ref = at(value, ['$ref']);
  return typeof ref === 'string' ? (at(document, ref.replace(/^#\//, '').split('/')) ?? null) : value;
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
