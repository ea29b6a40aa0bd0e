/** What a token of an excerpt opens: its part of the playlists, and the files that they name. */
import type { LadderDocument } from '@vds/proto/documents/ladder';
import type { Excerpt } from '../domain/excerpt.ts';
import { masterPlaylist } from '../domain/master-playlist.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { Subtitle } from '../domain/subtitles.ts';
import type { Excerpts } from '../outbound/excerpts.ts';
import { notFound } from './responses.ts';

type ExcerptRequest = {
  readonly excerpt: Excerpt;
  readonly path: Extract<MediaPath, { readonly kind: 'master' | 'file' | 'captions' | 'storyboard' }>;
  readonly prefix: string;
  readonly ladder: LadderDocument;
  readonly subtitles: readonly Subtitle[];
};

/**
 * @returns the playlist to send; undefined for a file of the bucket that belongs to the excerpt
 * @throws NOT_FOUND for what does not: other segments, the storyboard, whole tracks
 */
export async function excerptPlaylist(
  excerpts: Excerpts,
  { excerpt, path, prefix, ladder, subtitles }: ExcerptRequest,
): Promise<string | undefined> {
  const opened = await excerpts.find(prefix, ladder, excerpt);
  if (!opened) throw notFound();
  switch (path.kind) {
    case 'master': {
      // A partner's own pictures have borders of their own: their excerpt would begin at another second than the sound's.
      const { rungs, audio, alternates = [] } = ladder;
      // Sound may end before the pictures.
      const [first = null, ...others] = [...(audio ? [audio] : []), ...alternates].filter(({ playlist }) =>
        opened.playlists.has(playlist),
      );
      return masterPlaylist({ rungs, audio: first, alternates: others }, subtitles);
    }
    case 'file': {
      const text = opened.playlists.get(path.path);
      if (text === undefined && !opened.files.has(path.path)) throw notFound();
      return text;
    }
    case 'captions': {
      const track = subtitles.find(({ language }) => language === path.language);
      const cut = track && (await excerpts.subtitles(track.folder + track.playlist, opened.range));
      if (cut && path.file === track.playlist) return cut.text;
      if (!cut?.uris.includes(path.file)) throw notFound();
      return undefined;
    }
    case 'storyboard':
      throw notFound();
  }
}
