/** The partner's contract (proto/openapi.yaml): the document, and validation of request bodies against it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '@vds/chassis/errors';
import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { IngestBody } from '../domain/ingest-request.ts';
import { invalidField } from '../domain/invalid-field.ts';

const typeNames: Readonly<Record<string, string>> = { string: 'a string', array: 'a list', object: 'an object' };
export type Contract = ReturnType<typeof loadContract>;

/** Reads and compiles the contract; once per process. */
export function loadContract() {
  const file = fileURLToPath(import.meta.resolve('@vds/proto/openapi.yaml'));
  const document = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const ajv = new Ajv2020({ strict: false, verbose: true });
  formats.default(ajv);
  ajv.addSchema(document, 'contract');
  const isIngest = ajv.compile<IngestBody>({ $ref: 'contract#/components/schemas/IngestRequest' });
  return {
    document,
    /** @throws INVALID_ARGUMENT that names field and rule */
    checkIngest: (body: unknown): IngestBody => {
      if (isIngest(body)) return body;
      throw validationError(isIngest.errors ?? []);
    },
  };
}

/** A message about the first error; of failed alternatives, the one that lists values is the most helpful. */
function validationError(errors: readonly ErrorObject[]): AppError {
  const error = errors.find(({ keyword }) => keyword === 'enum') ?? errors[0];
  if (!error) return new AppError('INVALID_ARGUMENT', 'the body is not valid');
  if (error.keyword === 'required')
    return invalidField(String((error.params as Record<string, unknown>)['missingProperty']), 'is required');
  // `/tags/3` becomes `tags[3]`; the body itself has no name.
  const field = error.instancePath.slice(1).replaceAll(/\/(\d+)/g, '[$1]');
  if (field === '') return new AppError('INVALID_ARGUMENT', 'the body must be a JSON object');
  return invalidField(field, rule(error));
}

/** The rule for a field; the contract describes a pattern in `x-rule`. */
function rule(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'type': {
      const type = [params['type']].flat().find((name) => name !== 'null');
      return `must be ${typeNames[String(type)] ?? String(type)}`;
    }
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must be at most ${String(params['limit'])} characters`;
    case 'maxItems':
      return `must have at most ${String(params['limit'])} items`;
    case 'format':
      return 'must be an absolute URI (RFC 3986); percent-encode all other characters';
    case 'pattern':
      return String((error.parentSchema as Record<string, unknown>)['x-rule']);
    default:
      return error.message ?? 'is not valid';
  }
}
