/**
 * What a document in a bucket must be: one service writes it, others read it, and all of them by the same definition.
 *
 * JSON documents are JSON Schema, checked by ajv, and not protobuf messages: protobuf's JSON mapping knows kinds of values
 * but neither bounds nor forms, so that every reader would check lengths, keys and times by hand after it. A schema has
 * all of it in one place, names the field that is wrong, and what it describes is the value that the code works with.
 */
import { Ajv, type ErrorObject, type JSONSchemaType } from 'ajv';

export type DocumentFormat<T> = {
  /** Whoever fetches one reads no more than this. */
  readonly maxBytes: number;
  /**
   * @param key where it lies, for formats that name other objects relative to it
   * @throws Error that names the first field that is wrong: "invalid ladder.json: `rungs` must be …"
   */
  readonly read: (bytes: Uint8Array, key: string) => T;
};

export type JsonDocument<T> = {
  readonly maxBytes: number;
  readonly read: (bytes: Uint8Array) => T;
  /** The JSON text. @throws Error as `read`, for a document that nobody could read */
  readonly write: (document: T) => string;
};

/** Fields that the schema does not know are dropped: a later version may add some while earlier ones still read. */
const ajv = new Ajv({ $data: true, removeAdditional: 'all', verbose: true });

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

/** The error of every format for what is none of it. */
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

/** The text of a format, whole: nothing is put in the place of bytes that are none of UTF-8. */
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
