/** Checks answers against the contract (openapi.yaml), independently of how the gateway itself reads it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { parse } from 'yaml';

type Reference = { $ref?: string };
type Header = Reference & { required?: boolean };
type Answer = Reference & { headers?: Record<string, Header>; content?: Record<string, unknown> };
type Operation = { responses: Record<string, Answer> };
type Contract = { paths: Record<string, Record<string, Operation>>; components: Record<string, unknown> };

export const contract = parse(
  readFileSync(fileURLToPath(import.meta.resolve('@vds/proto/openapi.yaml')), 'utf8'),
) as Contract;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(contract, 'contract');
const compiled = new Map<string, ValidateFunction>();

const validatorOf = (pointer: string): ValidateFunction => {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
  compiled.set(pointer, known);
  return known;
};

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const resolve = <T extends Reference>(value: T): { value: T; pointer: string | undefined } => {
  if (value.$ref === undefined) return { value, pointer: undefined };
  const keys = value.$ref.slice(2).split('/');
  return {
    value: keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], contract) as T,
    pointer: value.$ref.slice(1),
  };
};

/** What is wrong with a value that should obey a schema of the contract. */
export const violationsOf = (schema: string, value: unknown): readonly string[] => {
  const validate = validatorOf(`/components/schemas/${schema}`);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
};

export type Seen = { readonly status: number; readonly headers: Headers; readonly body: unknown };

const templateOf = (path: string): string => path.replace(/^\/v1\/videos\/[^/]+/, '/v1/videos/{id}');

/** Expects an answer to be one that the contract lists for this method and path; for any other path, the envelope. */
export const expectContract = (method: string, path: string, seen: Seen): void => {
  const template = templateOf(path.split('?')[0] ?? '');
  const operation = contract.paths[template]?.[method.toLowerCase()];
  expect(seen.headers.get('x-request-id')).to.match(/^req_[0-9a-z]{26}$/);
  expect(seen.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  if (operation === undefined) {
    expect(violationsOf('Error', seen.body)).to.deep.equal([]);
    return;
  }
  const listed = operation.responses[String(seen.status)];
  expect(listed, `${method} ${template} ${seen.status} is not in the contract`).to.be.an('object');
  const { value, pointer } = resolve(listed as Answer);
  const at = pointer ?? `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${seen.status}`;
  const validate = validatorOf(`${at}/content/${escaped('application/json')}/schema`);
  expect(validate(seen.body), JSON.stringify(validate.errors)).to.equal(true);
  for (const [name, header] of Object.entries(value.headers ?? {}))
    if (resolve(header).value.required) expect(seen.headers.get(name), `${name} on ${seen.status}`).to.be.a('string');
};
