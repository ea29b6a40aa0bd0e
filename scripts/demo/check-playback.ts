/** Checks that a ready video plays: every playlist and segment, and the addresses of stream, thumbnail and pages. */
import type { Operator } from '@vds/testkit/stack/operator';
import type { StatusRecord } from '@vds/testkit/stack/partner';
import { withToken, type PageServer } from './page-server.ts';
import { playThrough, statusOf } from './play-through.ts';
import type { Screen } from './screen.ts';

/** Plays everything and prints it; throws one sentence if something is wrong. */
export async function checkPlayback(
  record: StatusRecord,
  { operator, pages, screen }: { operator: Operator; pages: PageServer; screen: Screen },
): Promise<void> {
  const { playback, duration_seconds: seconds = 0 } = record;
  if (playback === null) throw new Error(`The video is ${record.status} and has nothing to play.`);
  const url = withToken(playback.hls_url, await operator.token(playback.playback_id, seconds));
  await screen.task(
    'playing every playlist and segment',
    async () => {
      const played = await playThrough(url, seconds);
      for (const { name, seconds: length, segments, bytes } of played)
        screen.detail(`  ${name.padEnd(24)} ${length.toFixed(2)} s, ${segments} files, ${megabytes(bytes)}`);
      return played;
    },
    (played) => {
      const files = played.reduce((sum, { segments }) => sum + segments, 0);
      const bytes = played.reduce((sum, one) => sum + one.bytes, 0);
      return `“${record.title}” played to its end: ${played.length} playlists, ${files} files, ${megabytes(bytes)}`;
    },
  );
  const wanted: readonly (readonly [what: string, url: string, status: number])[] = [
    ['the stream without a token', playback.hls_url, 401],
    ['the thumbnail', playback.thumbnail_url, 200],
    ['the player page', pages.url, 200],
    ['the discovery page', `${pages.url}discover.html`, 200],
    ['the player page’s stream address', `${pages.url}api/stream`, 200],
  ];
  for (const [what, address, status] of wanted) {
    const answered = await statusOf(address);
    if (answered !== status) throw new Error(`${what} answered ${answered}, not ${status}.`);
    screen.detail(`✓ ${what}: ${answered}`);
  }
  screen.line('✓ no stream without a token (401); thumbnail, player and discovery pages answer');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
