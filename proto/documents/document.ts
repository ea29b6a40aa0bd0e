/**
 * The contract of a document in a bucket: one service writes it, others read it, all by the same definition.
 *
 * JSON documents are validated by JSON Schema (ajv) instead of being protobuf messages: protobuf's JSON mapping defines
 * types but neither bounds nor patterns, so every reader would have to check lengths, keys and times by hand. A schema
 * contains all of it in one place, names the invalid field, and describes exactly the value that the code uses.
 */
import { Ajv, type ErrorObject, type JSONSchemaType } from 'ajv';

export type DocumentFormat<T> = {
  /** The maximum size that readers accept. */
  readonly maxBytes: number;
  /**
   * @param key the document's own key, for formats that refer to other objects relative to it
   * @throws Error that names the first field that is wrong: "invalid ladder.json: `rungs` must be …"
   */
  readonly read: (bytes: Uint8Array, key: string) => T;
};

export type JsonDocument<T> = {
  readonly maxBytes: number;
  readonly read: (bytes: Uint8Array) => T;
  /** The JSON text. @throws Error as `read`, for a document that readers would reject */
  readonly write: (document: T) => string;
};

/**
 * Fields that the schema does not define are dropped: a later version may add some while earlier ones still read. The
 * schemas are typed and strict: checking them against the schema of schemas would take a fifth of a service's start.
 */
const ajv = new Ajv({ $data: true, removeAdditional: 'all', verbose: true, validateSchema: false });

/**
 * @param name for messages
 * @param schema with a `description` at every field, which completes the sentence "the field must be …"
 */
export function jsonDocument<T>(name: string, maxBytes: number, schema: JSONSchemaType<T>): JsonDocument<T> {
  const isValid = ajv.compile(schema);
  const read = (bytes: Uint8Array): T => {
    const value = parse(name, maxBytes, bytes);
    if (isValid(value)) return value;
    throw invalid(name, faultOf(isValid.errors?.[0]));
  };
  return {
    maxBytes,
    read,
    write: (document) => {
      const text = JSON.stringify(document);
      read(Buffer.from(text));
      return text;
    },
  };
}

/** The error for text that is not in the format at all. */
export function invalid(name: string, fault: string, options?: ErrorOptions): Error {
  return new Error(`invalid ${name}: ${fault}`, options);
}

function parse(name: string, maxBytes: number, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(name, maxBytes, bytes));
  } catch (cause) {
    throw cause instanceof SyntaxError ? invalid(name, 'it must be JSON', { cause }) : cause;
  }
}

/** The text of a format; invalid UTF-8 is an error and is not replaced. */
export function textOf(name: string, maxBytes: number, bytes: Uint8Array): string {
  if (bytes.length > maxBytes) throw invalid(name, `it must have at most ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid(name, 'it must be UTF-8', { cause });
  }
}

type Described = { readonly description?: string; readonly properties?: Readonly<Record<string, Described>> };

/** "`rungs[0].width` must be an integer from 2 to 16384". */
function faultOf(error: ErrorObject | undefined): string {
  const schema = error?.parentSchema as Described | undefined;
  const { missingProperty: missing } = (error?.params ?? {}) as { readonly missingProperty?: string };
  const path = [...(error?.instancePath.split('/').slice(1) ?? []), ...(missing === undefined ? [] : [missing])]
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
  const wanted = missing === undefined ? schema : schema?.properties?.[missing];
  return `${path === '' ? 'it' : `\`${path}\``} must be ${wanted?.description ?? 'as its schema says'}`;
}
