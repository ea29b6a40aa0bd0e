/** Requests to this page's server. Its errors are one sentence each, with the id by which the logs know the request. */

/** What the reader is told; `requestId` is undefined where no server answered. */
export class ApiError extends Error {
  constructor(message, requestId) {
    super(message);
    this.requestId = requestId;
  }
}

/** JSON of a path. Throws ApiError, or the abort of `signal`. */
export async function fetchJson(path, signal) {
  const response = await fetch(path, { signal }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new ApiError('The page’s server does not answer: it has ended, or the network is down.');
  });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const { message = `The page’s server answered ${response.status}.`, request_id: id } = body.error ?? {};
  throw new ApiError(message, id ?? response.headers.get('x-request-id') ?? undefined);
}

/** A path with the non-empty parameters. */
export function withQuery(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The player's address of a video, from a second on. */
export function playerAddress(videoId, seconds = 0) {
  return withQuery('./', { video: `vid_${videoId}`, t: seconds > 0 ? String(Math.floor(seconds)) : '' });
}

/** An error as a sentence, with the request's id where there is one. */
export function sentence({ message, requestId }) {
  return requestId === undefined ? message : `${message} (request ${requestId})`;
}
