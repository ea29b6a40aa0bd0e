/** Checks responses against the contract (openapi.yaml), independently of how the gateway itself reads it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

type Reference = { readonly $ref?: string };
type Header = Reference & { readonly required?: boolean };
export type Example = { readonly summary?: string; readonly value: unknown };
type Media = { readonly schema?: object; readonly examples?: Readonly<Record<string, Example>> };
export type ContractAnswer = {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Media>>;
};
export type ContractOperation = {
  readonly operationId: string;
  readonly requestBody?: ContractAnswer;
  readonly responses: Readonly<Record<string, ContractAnswer & Reference>>;
};
type Contract = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: Readonly<Record<string, unknown>>;
};

/** The document. */
export const contract = parse(
  readFileSync(fileURLToPath(import.meta.resolve('@vds/proto/openapi.yaml')), 'utf8'),
) as Contract;
const validatorOf = validators(new Ajv2020({ strict: false, allErrors: true }));
// Header values are strings; their schemas define what they encode.
const headerValidatorOf = validators(new Ajv2020({ strict: false, coerceTypes: true }));

export type Seen = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** Headers for partners: none may appear unless the contract lists it. */
const telling = /^(x-ratelimit-.*|retry-after|www-authenticate)$/;

/** Throws for a response that violates the contract; to be called on every response that a test gets. */
export function expectContract(method: string, path: string, seen: Seen): void {
  const faults = contractFaults(method, path, seen);
  if (faults.length === 0) return;
  const response = `${method} ${path} → ${seen.status} ${JSON.stringify(seen.body)?.slice(0, 2_000)}`;
  throw new Error(`a response violates the contract: ${response}\n  ${faults.join('\n  ')}`);
}

/**
 * The violations in a response: the contract must list it for this method and path, with its body and its headers; for
 * any other path, the error envelope.
 */
export function contractFaults(method: string, path: string, seen: Seen): readonly string[] {
  const template = templateOf(path);
  const verb = method.toLowerCase();
  const operation = contract.paths[template]?.[verb];
  if (operation === undefined) return [...everywhere(seen), ...violationsOf('Error', seen.body)];
  const listed = operation.responses[String(seen.status)];
  if (listed === undefined) return ['the contract does not list this status'];
  const { value, pointer } = resolve(listed);
  const at = pointer ?? `/paths/${escaped(template)}/${verb}/responses/${seen.status}`;
  return [
    ...everywhere(seen, value.content !== undefined),
    ...bodyFaults(at, value.content !== undefined, seen.body),
    ...headerFaults(at, value.headers ?? {}, seen.headers),
  ];
}

function bodyFaults(at: string, isListed: boolean, body: unknown): readonly string[] {
  if (!isListed) return body === undefined || body === null || body === '' ? [] : ['there is a body'];
  return faultsBy(validatorOf(`${at}/content/${escaped('application/json')}/schema`), body);
}

/** A segment that cannot be decoded (`%zz`) is not an id, and its path is not in the contract. */
function templateOf(path: string): string {
  return (path.split('?')[0] ?? '').replace(/^\/v1\/videos\/(?:[^/%]|%[0-9a-f]{2})+/i, '/v1/videos/{id}');
}

function everywhere({ headers, body }: Seen, hasBody = true): string[] {
  const id = headers.get('x-request-id') ?? '';
  const named = (body as { error?: { request_id?: unknown } } | undefined)?.error?.request_id;
  return [
    ...(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id) ? [] : [`x-request-id is '${id}'`]),
    ...(named === undefined || named === id ? [] : ['the envelope has another request id than the header']),
    ...(!hasBody || headers.get('content-type') === 'application/json; charset=utf-8'
      ? []
      : ['content-type is another']),
  ];
}

/** The violations in a value of a schema in the contract. */
export function violationsOf(schema: string, value: unknown): readonly string[] {
  return faultsBy(validatorOf(`/components/schemas/${schema}`), value);
}

/** Resolves a reference in the contract; also returns its JSON pointer. */
export function resolve<T extends object>(value: T & Reference): { value: T; pointer: string | undefined } {
  if (value.$ref === undefined) return { value, pointer: undefined };
  const keys = value.$ref.slice(2).split('/');
  return {
    value: keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], contract) as T,
    pointer: value.$ref.slice(1),
  };
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function faultsBy(validate: ValidateFunction, value: unknown): readonly string[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

function headerFaults(at: string, listed: Readonly<Record<string, Header>>, headers: Headers): string[] {
  return [
    ...Object.entries(listed).flatMap(([name, reference]) => {
      const { value, pointer = `${at}/headers/${name}` } = resolve(reference);
      const text = headers.get(name);
      if (text === null) return value.required === true ? [`${name} is missing`] : [];
      const isRight: boolean = headerValidatorOf(`${pointer}/schema`)(text);
      return isRight ? [] : [`${name} is '${text}'`];
    }),
    ...[...headers.keys()]
      .filter((name) => telling.test(name) && !(name in listed))
      .map((name) => `${name} is not listed`),
  ];
}

/** Compiles the schema at a JSON pointer of the contract, once. */
function validators(ajv: Ajv2020): (pointer: string) => ValidateFunction {
  formats.default(ajv);
  ajv.addSchema(contract, 'contract');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
}
