/** What the platform's apps read: transcripts of live videos alone, judged by the calls of a client with their token. */
import { captions } from '@vds/proto';
import { events } from '@vds/proto/events';
import type { TranscriptOut } from '@vds/proto/generated/vds/captions/v1/Transcript.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { noTls, tokenOf } from '@vds/testkit/harness/rpc-callers';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { rejectionCode } from './clients.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';

const AT_ONCE_MS = 10_000;
const names = { en: 'English', es: 'Español (automático)' } as const;

describe('transcripts for the platform’s apps', function () {
  this.timeout(60_000);
  let harness: Harness;
  let worker: Worker;
  let client: ReturnType<typeof open>;
  const open = (caller = 'apps') =>
    rpcClient(captions.CaptionsService, {
      target: `127.0.0.1:${worker.ports.rpc}`,
      config: { rpcToken: tokenOf(caller), ...noTls },
    });
  before(async () => {
    harness = await openHarness();
    worker = await harness.startWorker();
    client = open();
  });
  after(async () => {
    await client?.close();
    await harness?.close();
  });

  const read = (videoId: string, languageCode = '', cursor = ''): Promise<TranscriptOut> =>
    client.GetTranscript({ videoId, languageCode, cursor });
  /** A live video whose tracks say `<language> <n>` in cue n. */
  const publish = async (cues: number, languages: readonly (keyof typeof names)[] = ['en', 'es']): Promise<string> => {
    const videoId = harness.gates.newId();
    const tracks = languages.map((language) => ({
      ...{ language, name: names[language], kind: language === 'en' ? 'captions' : 'subtitles' },
      playlistKey: `videos/${videoId}/1/${language}.1/index.m3u8`,
    }));
    const time = (second: number): string => new Date(second * 1_000).toISOString().slice(11, 23);
    for (const { language, playlistKey } of tracks) {
      const text = Array.from(
        { length: cues },
        (_cue, n) => `${time(n)} --> ${time(n + 1)}\n<i>${language}</i> ${n}\nR&amp;B`,
      );
      const key = playlistKey.replace('index.m3u8', 'captions.vtt');
      await harness.captions.client.putObject(harness.captions.bucket, key, `WEBVTT\n\n${text.join('\n\n')}\n`);
    }
    harness.gates.videos.set(videoId, { version: 1, tracks });
    return videoId;
  };

  it('apps get the cues of each ready language with their times, as plain text, and its name', async () => {
    const videoId = await publish(3);
    const spoken = await read(videoId);
    expect(spoken).to.deep.include({ videoId, languageCode: 'en', name: 'English', kind: 'captions' });
    expect(spoken.languages).to.deep.equal(['en', 'es']);
    expect(spoken.cues[1]).to.deep.equal({ startMs: 1_000, endMs: 2_000, lines: ['en 1', 'R&B'] });
    expect(spoken.nextCursor).to.equal('');
    const spanish = await read(videoId, 'es');
    expect(spanish).to.include({ name: names.es, kind: 'subtitles' });
    expect(spanish.cues.map(({ lines }) => lines[0])).to.deep.equal(['es 0', 'es 1', 'es 2']);
  });

  it('a long transcript comes in pages of at most 2,000 cues, which have each cue once', async () => {
    const videoId = await publish(4_500, ['en']);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; cursor !== '' && pages < 5; pages += 1) {
      const page: TranscriptOut = await read(videoId, 'en', cursor);
      expect(page.cues.length).to.be.within(1, 2_000);
      seen.push(...page.cues.map(({ lines }) => lines[0] ?? ''));
      cursor = page.nextCursor;
    }
    expect(seen).to.deep.equal(Array.from({ length: 4_500 }, (_cue, n) => `en ${n}`));
    expect((await read(videoId, 'en', '999999')).cues).to.deep.equal([]);
    for (const wrong of ['-1', 'x', '1e3', '9999999'])
      expect(await rejectionCode(read(videoId, 'en', wrong)), wrong).to.equal('INVALID_ARGUMENT');
  });

  it('a language that is not ready is rejected with those that are, and a video without captions has no cues', async () => {
    const videoId = await publish(1);
    const failure = await read(videoId, 'fr').catch((error: Error) => error);
    expect(failure).to.include({ code: 'INVALID_ARGUMENT' });
    expect((failure as Error).message).to.include('en es');
    const silent = await publish(1, []);
    expect(await read(silent)).to.deep.include({ languageCode: '', languages: [], cues: [] });
  });

  for (const [what, gate] of [
    ['archived', { state: 'VIDEO_STATE_ARCHIVED', gateClosesInMs: 300_000 }],
    ['held', { state: 'VIDEO_STATE_ARCHIVED', gateClosesInMs: 0, held: true }],
    ['deleted', { state: 'VIDEO_STATE_DELETED', gateClosesInMs: 0 }],
  ] as const)
    it(`the transcript of a video that is ${what} is NOT_FOUND at once`, async () => {
      const videoId = await publish(1);
      expect((await read(videoId)).cues).to.have.length(1);
      harness.gates.videos.set(videoId, { ...harness.gates.videos.get(videoId), ...gate, version: 2 });
      await harness.bus.publish(events.videoChanged, { videoId, version: 2 }, `changed-${videoId}`);
      const isGone = async () => (await rejectionCode(read(videoId))) === 'NOT_FOUND';
      await until(isGone, { what: `a video that is ${what}`, capMs: AT_ONCE_MS, everyMs: 20 });
    });

  it('no other caller reads transcripts, and a key of another video is not read', async () => {
    const videoId = await publish(1);
    const index = open('indexer');
    expect(await rejectionCode(index.GetTranscript({ videoId }))).to.equal('PERMISSION_DENIED');
    await index.close();
    const other = harness.gates.newId();
    harness.gates.videos.set(other, { ...harness.gates.videos.get(videoId), version: 1 });
    expect(await rejectionCode(read(other))).to.equal('INTERNAL');
  });
});
