/** The JSON body of a request: read only when asked for, at most 256 KiB, UTF-8 alone, no member named twice. */
import type { Request, Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { duplicateMember } from '../domain/json-members.ts';

const MAX_BYTES = 256 * 1024;
const SHOWN_NAME = 40;

/**
 * Reads a request's body as JSON.
 * @throws INVALID_ARGUMENT that names what is wrong with it
 */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  checkType(request);
  const text = decode(await readBytes(request, response));
  const value = parse(text);
  const duplicate = duplicateMember(text);
  if (duplicate !== undefined) throw invalid(`the body must not name a member twice: ${shown(duplicate)}`);
  return value;
}

function checkType(request: Request): void {
  const types = request.headersDistinct['content-type'] ?? [];
  const [type = '', ...parameters] = (types.length === 1 ? (types[0] ?? '') : '').split(';').map((part) => part.trim());
  if (type.toLowerCase() !== 'application/json') throw invalid('content-type must be application/json');
  for (const parameter of parameters.filter((part) => part !== ''))
    if (!/^charset="?utf-?8"?$/i.test(parameter) && /^charset\s*=/i.test(parameter))
      throw invalid('the charset of the body must be utf-8');
  const encoding = request.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw invalid('the body must be sent without content-encoding');
}

/** One byte order mark at the very beginning is skipped (RFC 8259 §8.1 allows it; some partners' libraries write it). */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid('the body must be UTF-8', cause);
  }
}

/** What is over the limit is not kept; Node discards it after the answer, within the server's request timeout. */
async function readBytes(request: Request, response: Response): Promise<Buffer> {
  if (Number(request.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge();
  // RFC 9110 §10.1.1: HTTP/1.0 knows no answer before the answer.
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
    .once('error', (cause) => reject(invalid('the body did not arrive whole', cause)))
    .once('close', () => reject(invalid('the body did not arrive whole')));
  return promise;
}

function tooLarge(): AppError {
  return invalid('the body must be at most 256 KiB');
}

function parse(text: string): unknown {
  if (text === '') throw invalid('a JSON body is required');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw invalid('the body must be valid JSON', cause);
  }
}

function invalid(sentence: string, cause?: unknown): AppError {
  return new AppError('INVALID_ARGUMENT', sentence, { cause });
}

/** A name as JSON that no page and no terminal takes for anything but text. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, SHOWN_NAME)).replaceAll(
    /[^ -~]|[<>&']/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
