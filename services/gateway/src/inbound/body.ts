/** The JSON body of a request: read on demand, at most 256 KiB, UTF-8 only, without duplicate members. */
import type { Request, Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { duplicateMember } from '../domain/json-members.ts';

const MAX_BYTES = 256 * 1024;
const MAX_NAME_SHOWN = 40;

/**
 * Reads a request's body as JSON.
 * @throws INVALID_ARGUMENT that names the error
 */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  checkHeaders(request);
  const text = decode(await readBytes(request, response));
  const value = parse(text);
  const duplicate = duplicateMember(text);
  if (duplicate !== undefined)
    throw validationError(`the body must not name a member twice: ${printableName(duplicate)}`);
  return value;
}

function checkHeaders(request: Request): void {
  const types = request.headersDistinct['content-type'] ?? [];
  const [type = '', ...parameters] = (types.length === 1 ? (types[0] ?? '') : '').split(';').map((part) => part.trim());
  if (type.toLowerCase() !== 'application/json') throw validationError('content-type must be application/json');
  for (const parameter of parameters)
    if (/^charset\s*=/i.test(parameter) && !/^charset="?utf-?8"?$/i.test(parameter))
      throw validationError('the charset of the body must be utf-8');
  const encoding = request.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw validationError('the body must be sent without content-encoding');
}

/** Skips one leading byte order mark (RFC 8259 §8.1 allows it; some partners' libraries write it). */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw validationError('the body must be UTF-8', cause);
  }
}

/** Bytes over the limit are not kept; Node discards them after the response, within the server's request timeout. */
async function readBytes(request: Request, response: Response): Promise<Buffer> {
  const tooLarge = (): AppError => validationError('the body must be at most 256 KiB');
  if (Number(request.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge();
  // RFC 9110 §10.1.1: HTTP/1.0 has no interim responses.
  if (request.get('expect')?.toLowerCase() === '100-continue' && request.httpVersion === '1.1')
    response.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  request
    .on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    })
    .once('end', () => resolve(Buffer.concat(chunks)))
    .once('error', (cause) => reject(validationError('the body did not arrive whole', cause)))
    .once('close', () => request.complete || reject(validationError('the body did not arrive whole')));
  return promise;
}

function parse(text: string): unknown {
  if (text === '') throw validationError('a JSON body is required');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw validationError('the body must be valid JSON', cause);
  }
}

function validationError(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_ARGUMENT', message, { cause });
}

/** A name as ASCII JSON that no page and no terminal interprets. */
function printableName(name: string): string {
  return JSON.stringify(name.slice(0, MAX_NAME_SHOWN)).replaceAll(
    /[^ -~]|[<>&']/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
