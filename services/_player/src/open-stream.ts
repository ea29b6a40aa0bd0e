/** Opens a stream in a video element with hls.js; media errors are recovered twice before giving up. */
import Hls, { type ErrorData, type HlsConfig } from 'hls.js';

/** What a viewer is told where playback ends for good. */
export type PlayerError = {
  readonly message: string;
  /** HTTP status of playback's answer; 0: there was none, or the media cannot be played. */
  readonly status: number;
  /** Of playback's answer, for whoever runs the service. */
  readonly requestId: string | undefined;
};

/** `reportViews` of `@vds/player-analytics`. */
export type ReportViews = (
  video: HTMLVideoElement,
  url: string,
) => NonNullable<HlsConfig['cmcd']> & { readonly onError: (event: unknown, data: ErrorData) => void };

export type StreamOptions = {
  readonly startAt: number;
  readonly reportViews: ReportViews | undefined;
  /** Called with the player before it loads anything; not where the browser plays HLS itself. */
  readonly before: (hls: Hls) => void;
  readonly failed: (error: PlayerError) => void;
};

/** Seconds of buffer: at least, and at most. */
const BUFFER = { maxBufferLength: 12, maxMaxBufferLength: 30 };
const MAX_RECOVERIES = 2;
/** What a viewer may do about a response of playback. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Reload the page for a fresh token.',
  403: 'Reload the page for a fresh token.',
  404: 'The video was archived or deleted.',
};

/** @param url `https://…/<playback_id>.m3u8?token=…` */
export function openStream(
  video: HTMLVideoElement,
  url: string,
  options: StreamOptions,
): { readonly close: () => void } {
  if (!Hls.isSupported()) return openNatively(video, url, options);
  const { startAt, reportViews, before, failed } = options;
  const views = reportViews?.(video, url);
  const hls = new Hls({
    ...BUFFER,
    capLevelToPlayerSize: false,
    startPosition: startAt > 0 ? startAt : -1,
    ...(views && { cmcd: views }),
  });
  if (views) hls.on(Hls.Events.ERROR, views.onError);
  let recoveries = 0;
  hls.on(Hls.Events.ERROR, (_event, data) => {
    if (!data.fatal) return;
    if (data.type === Hls.ErrorTypes.MEDIA_ERROR && recoveries++ < MAX_RECOVERIES) hls.recoverMediaError();
    else failed(errorOf(data));
  });
  before(hls);
  hls.loadSource(url);
  hls.attachMedia(video);
  return { close: () => hls.destroy() };
}

/** Safari of iPhones before version 17.1 has no media source that hls.js could fill. */
function openNatively(video: HTMLVideoElement, url: string, { startAt, failed }: StreamOptions) {
  const onError = (): void =>
    failed({
      message: video.error?.message || 'This browser cannot play the stream.',
      status: 0,
      requestId: undefined,
    });
  video.addEventListener('error', onError);
  video.src = startAt > 0 ? `${url}#t=${startAt}` : url;
  return {
    close: (): void => {
      video.removeEventListener('error', onError);
      video.removeAttribute('src');
      video.load();
    },
  };
}

function errorOf({ type, details, response, networkDetails }: ErrorData): PlayerError {
  const status = type === Hls.ErrorTypes.NETWORK_ERROR ? (response?.code ?? 0) : 0;
  if (type !== Hls.ErrorTypes.NETWORK_ERROR)
    return { message: `This browser cannot play the stream (${details}).`, status, requestId: undefined };
  if (status === 0)
    return {
      ...{ message: 'The stream cannot be reached: playback has ended, or the network is down.', status },
      requestId: undefined,
    };
  const { message = '', request_id: requestId } = answerOf(networkDetails);
  const remedy = status >= 500 ? 'Reload the page in a moment.' : (REMEDIES[status] ?? '');
  return {
    message: `The stream answered ${status}. ${message} ${remedy}`.replaceAll(/ +/g, ' ').trim(),
    status,
    requestId,
  };
}

/** Playback's own words for an error: its JSON in the response of an XMLHttpRequest. */
function answerOf(request: unknown): { readonly message?: string; readonly request_id?: string } {
  try {
    const { response } = request as XMLHttpRequest;
    const text = typeof response === 'string' ? response : new TextDecoder().decode(response as ArrayBuffer);
    return (JSON.parse(text) as { error?: { message?: string; request_id?: string } }).error ?? {};
  } catch {
    return {}; // no answer of playback
  }
}
