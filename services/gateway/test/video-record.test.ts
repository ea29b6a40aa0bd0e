import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { videoRecord } from '../src/domain/video-record.ts';
import { violationsOf } from '@vds/proto/testing/contract-check';

const base = 'https://play.example.com';
const id = '01jd3m8q0c7e5b9x2k4n6p8rst';
const failure = {
  code: 'source_not_found',
  stage: 'fetch',
  retryable: false,
  message: 'There is no file.',
  details: { status: '404' },
};
/** A video with every field set; the table decides which ones the record has. */
function everything(state: VideoOut['state']): VideoOut {
  return {
    id,
    state,
    title: ' Final 😀 ',
    summary: '',
    tags: ['b', 'a', 'b', ''],
    sport: 'tennis',
    category: 'sports',
    languageCode: 'en',
    durationSeconds: 25,
    thumbnailUrl: 'https://partner.example/t.jpg',
    playbackId: 'pbk1',
    mediaPlaybackId: 'pbk1',
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:05:05.678Z',
    progress: 41,
    pending: 'archive',
    waiting: 'source_unreachable',
    failure,
    sourceWarnings: [{ code: 'duration_not_recommended', message: 'Long.' }],
    captions: [
      { language: 'en', kind: 'captions', status: 'ready' },
      { language: 'pt-BR', kind: 'subtitles', status: 'processing' },
      { language: 'de', kind: 'subtitles', status: 'skipped', reason: 'no_path' },
    ],
  };
}
function bareOf(state: VideoOut['state']): VideoOut {
  return {
    id,
    state,
    title: 'x',
    tags: [],
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:05:05.678Z',
    playbackId: 'pbk1',
    sourceWarnings: [],
    captions: [],
  };
}
const always = { id: `vid_${id}`, title: ' Final 😀 ', created_at: '2026-01-02T03:04:05.678Z' };
const asSent = { summary: '', tags: ['b', 'a', 'b', ''], sport: 'tennis', category: 'sports', language_code: 'en' };
const updated = { updated_at: '2026-01-02T03:05:05.678Z' };
const warned = { source_warnings: [{ code: 'duration_not_recommended', message: 'Long.' }] };
const captioned = {
  captions: [
    { language: 'en', kind: 'captions', status: 'ready', reason: null },
    { language: 'pt-BR', kind: 'subtitles', status: 'processing', reason: null },
    { language: 'de', kind: 'subtitles', status: 'skipped', reason: 'no_path' },
  ],
};
const waiting =
  'The source could not be fetched yet (source_unreachable). It is tried again within 30 minutes of the submission: check that its host serves the file.';
const dark = { is_available: false, playback: null };
const partners = { thumbnail_url: 'https://partner.example/t.jpg' };

const table: Readonly<Record<string, readonly [VideoOut['state'], object]>> = {
  processing: [
    'VIDEO_STATE_PROCESSING',
    {
      ...asSent,
      ...dark,
      thumbnail_url: null,
      duration_seconds: 25,
      progress: 41,
      pending: 'archive',
      message: waiting,
    },
  ],
  ready: [
    'VIDEO_STATE_READY',
    {
      ...asSent,
      ...partners,
      ...updated,
      ...warned,
      ...captioned,
      is_available: true,
      duration_seconds: 25,
      playback: { playback_id: 'pbk1', hls_url: `${base}/pbk1.m3u8`, thumbnail_url: `${base}/t/pbk1.jpg` },
    },
  ],
  archived: [
    'VIDEO_STATE_ARCHIVED',
    { ...asSent, ...partners, ...updated, ...warned, ...captioned, ...dark, duration_seconds: 25 },
  ],
  failed: [
    'VIDEO_STATE_FAILED',
    { ...asSent, ...updated, ...warned, ...dark, thumbnail_url: null, duration_seconds: 25, failure },
  ],
  deleted: ['VIDEO_STATE_DELETED', { ...updated, ...dark, summary: null, tags: [], thumbnail_url: null, failure }],
};

describe('the status record', () => {
  for (const [status, [state, expected]] of Object.entries(table))
    it(`the record of a video that is ${status} has exactly the fields of the table`, () => {
      expect(videoRecord(everything(state), base)).to.deep.equal({ ...always, status, ...expected });
    });

  it('unknown fields of the record are null or absent', () => {
    const record = videoRecord(bareOf('VIDEO_STATE_PROCESSING'), base);
    expect(record).to.deep.equal({
      id: `vid_${id}`,
      status: 'processing',
      is_available: false,
      title: 'x',
      summary: null,
      tags: [],
      sport: null,
      category: null,
      thumbnail_url: null,
      playback: null,
      created_at: '2026-01-02T03:04:05.678Z',
      progress: 0,
      pending: null,
    });
  });

  it('the record has captions from ready on, empty while there are none', () => {
    for (const state of ['VIDEO_STATE_READY', 'VIDEO_STATE_ARCHIVED'] as const)
      expect(videoRecord(bareOf(state), base)).to.have.deep.property('captions', []);
    for (const state of ['VIDEO_STATE_PROCESSING', 'VIDEO_STATE_FAILED', 'VIDEO_STATE_DELETED'] as const)
      expect(videoRecord(everything(state), base)).not.to.have.property('captions');
  });

  it('the record has our thumbnail if the partner gave none, even while archived', () => {
    for (const state of ['VIDEO_STATE_READY', 'VIDEO_STATE_ARCHIVED'] as const)
      expect(videoRecord(bareOf(state), base).thumbnail_url).to.equal(`${base}/t/pbk1.jpg`);
    const { playbackId: _gone, ...archived } = bareOf('VIDEO_STATE_ARCHIVED');
    expect(videoRecord({ ...archived, mediaPlaybackId: 'pbk1' }, base).thumbnail_url).to.equal(`${base}/t/pbk1.jpg`);
  });

  it('the record has a failure only if the video failed', () => {
    expect(videoRecord(bareOf('VIDEO_STATE_DELETED'), base)).not.to.have.property('failure');
  });

  it('a contradictory video has no record', () => {
    expect(() => videoRecord(everything('VIDEO_STATE_UNSPECIFIED'), base)).to.throw('has no state');
    const { playbackId: _gone, ...ready } = bareOf('VIDEO_STATE_READY');
    expect(() => videoRecord(ready, base)).to.throw('has no playback id');
  });

  it('every record obeys the contract', () => {
    const states = fc.constantFrom(
      'VIDEO_STATE_PROCESSING',
      'VIDEO_STATE_READY',
      'VIDEO_STATE_ARCHIVED',
      'VIDEO_STATE_FAILED',
      'VIDEO_STATE_DELETED',
    );
    const track = fc.record(
      {
        language: fc.string(),
        kind: fc.constantFrom('captions', 'subtitles'),
        status: fc.constantFrom('processing', 'ready', 'failed', 'skipped'),
        reason: fc.constantFrom('no_audio', 'no_speech', 'language_unsupported', 'no_path', 'engine_error'),
      },
      { requiredKeys: ['language', 'kind', 'status'] },
    );
    const optional = fc.record(
      {
        summary: fc.string(),
        tags: fc.array(fc.string()),
        sport: fc.constant('golf'),
        thumbnailUrl: fc.webUrl(),
        progress: fc.integer({ min: 0, max: 100 }),
        failure: fc.constant(failure),
        mediaPlaybackId: fc.constant('pbk1'),
        captions: fc.array(track, { maxLength: 19 }),
      },
      { requiredKeys: ['tags'] },
    );
    const cause = (state: VideoOut['state']) => (state === 'VIDEO_STATE_FAILED' ? { failure } : {});
    fc.assert(
      fc.property(states, optional, fc.integer({ min: 1 }), (state, more, durationSeconds) => {
        const known = { languageCode: 'en', durationSeconds, ...cause(state) };
        const record = videoRecord({ ...bareOf(state), ...known, ...more } as VideoOut, base);
        expect(violationsOf('Video', record)).to.deep.equal([]);
      }),
    );
  });
});
