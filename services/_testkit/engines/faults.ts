/** The faults of a fake engine, and how one is selected for a request. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Endpoint = 'speech' | 'english' | 'translation' | 'languages';

export type Fault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Accepts the request and never responds. */
  | { readonly kind: 'silent' }
  /** Sends half of the response, and nothing more. */
  | { readonly kind: 'stall' }
  /** Cuts the connection in the middle of the response. */
  | { readonly kind: 'cut' }
  /** Sends only this many bytes of a valid JSON response. */
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'no-json' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Sent as JSON in place of the response. */
  | { readonly kind: 'instead'; readonly answer: unknown }
  /** Speech: words in another language than requested. Translation: the first text is missing. */
  | { readonly kind: 'wrong-language' | 'wrong-count' }
  /** Speech: no words. Translation: empty texts. */
  | { readonly kind: 'empty' };

export type Trouble = {
  readonly endpoint: Endpoint;
  readonly fault: Fault;
  /** How many requests it affects; all by default. */
  readonly times?: number;
  /** Only requests for this language: the spoken one, or the target. */
  readonly language?: string;
  /** Only requests with more than this many sentences. */
  readonly above?: number;
};

export type EngineRequest = { readonly endpoint: Endpoint; readonly language: string; readonly sentences: number };

/** Faults in the order of their creation; each is used up before the next of its kind. */
export function createFaultRules() {
  let troubles: { readonly trouble: Trouble; left: number }[] = [];
  return {
    add: (trouble: Trouble): void => {
      troubles.push({ trouble, left: trouble.times ?? Number.POSITIVE_INFINITY });
    },
    clear: (): void => {
      troubles = [];
    },
    next: ({ endpoint, language, sentences }: EngineRequest): Fault | undefined => {
      const met = troubles.find(
        ({ trouble, left }) =>
          left > 0 &&
          trouble.endpoint === endpoint &&
          (trouble.language ?? language) === language &&
          sentences > (trouble.above ?? -1),
      );
      if (met) met.left -= 1;
      return met?.trouble.fault;
    },
  };
}

/**
 * Plays the faults that are the same at every endpoint; false if the endpoint itself must respond (perhaps after a
 * delay).
 */
export async function playFault(fault: Fault | undefined, response: ServerResponse): Promise<boolean> {
  switch (fault?.kind) {
    case 'delay':
      await wait(fault.ms, undefined, { ref: false });
      return false;
    case 'status':
      response.writeHead(fault.status, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter });
      response.end('{"error": "fault on purpose"}');
      return true;
    case 'redirect':
      response.writeHead(307, { location: fault.to }).end();
      return true;
    case 'silent':
      return true;
    case 'stall':
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        .write('{"text": "half of');
      return true;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"text": "half of', () => response.destroy());
      return true;
    case 'huge':
      flood(response, fault.bytes);
      return true;
    case 'no-json':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>the engine is being updated</html>');
      return true;
    case 'instead':
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fault.answer));
      return true;
    default:
      return false;
  }
}

/** Sends twenty characters at a time, like a server that writes while it computes. */
function flood(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"text": "');
  const block = 'x'.repeat(64 * 1024);
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= block.length;
      if (!response.write(block)) return void response.once('drain', more);
    }
    if (!response.destroyed) response.end('"}');
  };
  more();
}
