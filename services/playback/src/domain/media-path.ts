/** Request paths of viewers. They are parsed as sent: nothing is decoded, so nothing can hide in an encoding. */
import { isVideoId } from '@vds/proto/ids';

export type MediaPath =
  /** `/<playback_id>.m3u8`: the address that partners publish; the token is in the query. */
  | { readonly kind: 'entry'; readonly playbackId: string }
  | { readonly kind: 'thumbnail'; readonly playbackId: string }
  /** `/gate/<playback_id>`: an edge asks whether a token opens a video; the token is in a header. */
  | { readonly kind: 'gate'; readonly playbackId: string }
  /** `/p/<token>/<playback_id>/…` */
  | { readonly kind: 'master' | 'storyboard'; readonly token: string; readonly playbackId: string }
  /** Reports of a view, of a preview, too. */
  | { readonly kind: 'events'; readonly token: string; readonly playbackId: string }
  | { readonly kind: 'file'; readonly token: string; readonly playbackId: string; readonly path: string }
  /** `c/<language>/<file>`: a file in the folder of a caption track. */
  | {
      readonly kind: 'captions';
      readonly token: string;
      readonly playbackId: string;
      readonly language: string;
      readonly file: string;
    }
  /** `/<video_id>.m3u8` and `/p/<token>/<video_id>/…`: what is finished of a video that has no playback id yet. */
  | { readonly kind: 'preview-entry'; readonly videoId: string }
  | { readonly kind: 'preview'; readonly token: string; readonly videoId: string; readonly path: string };

/** Every type of file that viewers may read; `ladder.json` is not among them. */
const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
};

const id = '[0-9A-Za-z_-]{1,64}';
/** What needs no token is looked up for anybody, so only what can be an id: 27 characters of base62, as catalog makes them. */
const exactId = '[0-9A-Za-z]{27}';
const part = '[0-9A-Za-z][0-9A-Za-z._-]{0,127}';
const entry = new RegExp(`^/(${id})\\.m3u8$`);
const thumbnail = new RegExp(`^/t/(${exactId})\\.jpg$`);
const gate = new RegExp(`^/gate/(${id})$`);
const under = new RegExp(`^/p/([0-9A-Za-z._-]{1,4096})/(${id})/(.+)$`);
const caption = new RegExp(`^c/([0-9A-Za-z]{1,8}(?:-[0-9A-Za-z]{1,8}){0,5})/(${part}\\.(?:m3u8|vtt))$`);
const file = new RegExp(`^${part}(?:/${part}){0,7}$`);

/** Parses a path (without its query); undefined for one that does not exist. */
export function readPath(path: string): MediaPath | undefined {
  const entryId = entry.exec(path)?.[1];
  if (entryId !== undefined)
    return isVideoId(entryId) ? { kind: 'preview-entry', videoId: entryId } : { kind: 'entry', playbackId: entryId };
  const thumbnailId = thumbnail.exec(path)?.[1];
  if (thumbnailId !== undefined) return { kind: 'thumbnail', playbackId: thumbnailId };
  const gateId = gate.exec(path)?.[1];
  if (gateId !== undefined) return { kind: 'gate', playbackId: gateId };
  const [, token, playbackId, rest] = under.exec(path) ?? [];
  if (token === undefined || playbackId === undefined || rest === undefined) return undefined;
  if (rest === 'events') return { kind: 'events', token, playbackId };
  if (isVideoId(playbackId))
    return isServable(rest) ? { kind: 'preview', token, videoId: playbackId, path: rest } : undefined;
  if (rest === 'master.m3u8') return { kind: 'master', token, playbackId };
  if (rest === 'storyboard.vtt') return { kind: 'storyboard', token, playbackId };
  if (rest.startsWith('c/')) {
    const [, language, name] = caption.exec(rest) ?? [];
    if (language === undefined || name === undefined) return undefined;
    return { kind: 'captions', token, playbackId, language, file: name };
  }
  return isServable(rest) ? { kind: 'file', token, playbackId, path: rest } : undefined;
}

/** Whether a path below an attempt may be served and cannot leave it. */
export function isServable(path: string): boolean {
  return file.test(path) && contentTypeOf(path) !== undefined;
}

/** The path that a relative address in the playlist at `path` names. */
export function pathFrom(path: string, address: string): string {
  return new URL(address, `http://playback/${path}`).pathname.slice(1);
}

/** The content type of a path by its extension; undefined for files that are not served. */
export function contentTypeOf(path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension] : undefined;
}

/** A path that is safe to log: without anything that could be a token, even if the path is malformed. */
export function printablePath(path: string): string {
  return path.replace(/^(\/+p\/+)[^/]*/, '$1-').replaceAll(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, '-');
}
