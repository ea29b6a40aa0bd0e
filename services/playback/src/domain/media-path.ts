/** What a request path asks for (design §7). The path is read as it was sent: nothing is decoded, so nothing can hide. */
export type Asked =
  /** `/<playback_id>.m3u8`: the address that partners hand out; the token comes in the query. */
  | { readonly kind: 'entry'; readonly playbackId: string }
  | { readonly kind: 'thumbnail'; readonly playbackId: string }
  /** `/p/<token>/<playback_id>/…` */
  | { readonly kind: 'master' | 'storyboard'; readonly token: string; readonly playbackId: string }
  | { readonly kind: 'file'; readonly token: string; readonly playbackId: string; readonly path: string }
  /** `c/<language>/<file>`: a file in the folder of a caption track. */
  | {
      readonly kind: 'captions';
      readonly token: string;
      readonly playbackId: string;
      readonly language: string;
      readonly file: string;
    };

/** Every kind of file that viewers may have, with its type. `ladder.json` is not among them. */
const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
};

const id = '[0-9A-Za-z_-]{1,64}';
const part = '[0-9A-Za-z][0-9A-Za-z._-]{0,127}';
const entry = new RegExp(`^/(${id})\\.m3u8$`);
const thumbnail = new RegExp(`^/t/(${id})\\.jpg$`);
const under = new RegExp(`^/p/([0-9A-Za-z._-]{1,4096})/(${id})/(.+)$`);
const caption = new RegExp(`^c/([0-9A-Za-z]{1,8}(?:-[0-9A-Za-z]{1,8}){0,5})/(${part}\\.(?:m3u8|vtt))$`);
const file = new RegExp(`^${part}(?:/${part}){0,7}$`);

/** Reads a path (without its query); undefined where there is nothing. */
export function readPath(path: string): Asked | undefined {
  const [, entered] = entry.exec(path) ?? [];
  if (entered !== undefined) return { kind: 'entry', playbackId: entered };
  const [, pictured] = thumbnail.exec(path) ?? [];
  if (pictured !== undefined) return { kind: 'thumbnail', playbackId: pictured };
  const [, token, playbackId, rest] = under.exec(path) ?? [];
  if (token === undefined || playbackId === undefined || rest === undefined) return undefined;
  if (rest === 'master.m3u8') return { kind: 'master', token, playbackId };
  if (rest === 'storyboard.vtt') return { kind: 'storyboard', token, playbackId };
  if (rest.startsWith('c/')) {
    const [, language, name] = caption.exec(rest) ?? [];
    if (language === undefined || name === undefined) return undefined;
    return { kind: 'captions', token, playbackId, language, file: name };
  }
  return isServable(rest) ? { kind: 'file', token, playbackId, path: rest } : undefined;
}

/** True for a path below an attempt that may be served and cannot leave it. */
export function isServable(path: string): boolean {
  return file.test(path) && contentTypeOf(path) !== undefined;
}

/** The content type of a path by its extension; undefined for what is not served. */
export function contentTypeOf(path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension] : undefined;
}

/** A path as it may be written down: whatever could be a token is left out, also where the path is malformed. */
export function printablePath(path: string): string {
  return path.replace(/^(\/+p\/+)[^/]*/, '$1-').replaceAll(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, '-');
}
