/** The partner's record, field by field and state by state (spec §2.3). */
import { expect } from 'chai';
import { descriptionRecord, partnerRecord, readyTracks } from '../../src/domain/record.ts';
import type { Video } from '../../src/domain/video.ts';
import { later, newVideo, status, track } from './fixtures.ts';
import { progressAfter } from './stages.ts';

const sentences = { source_empty: { retryable: false, message: 'The file is empty.' } };
function record(changes: Partial<Video>) {
  return partnerRecord(
    newVideo({ updatedAt: later(5), ...changes }),
    [status('fetch', { state: 'completed' })],
    sentences,
  );
}
const media: Partial<Video> = { playbackId: 'p1', durationMs: 24_600, warnings: [{ code: 'w', message: 'big' }] };

describe('the partner’s record', () => {
  it('a processing video has basic fields, progress and no thumbnail', () => {
    const seen = record({ durationMs: 24_400, warnings: [{ code: 'w', message: 'big' }] });
    expect(seen).to.deep.equal({
      id: newVideo().id,
      state: 'VIDEO_STATE_PROCESSING',
      title: 'Final',
      createdAt: '2026-01-01T00:00:00.000Z',
      summary: 'The last minute',
      tags: ['goal', ''],
      sport: 'soccer',
      category: 'sports',
      languageCode: 'en',
      durationSeconds: 24,
      progress: progressAfter('fetch'),
    });
    expect(record({})).not.to.have.property('durationSeconds');
  });

  it('a video whose deletion is queued waits for nothing that a partner could help with', () => {
    const waiting = [status('fetch', { state: 'started', waiting: 'source_unreachable' })];
    const waits = (intent: Video['intent']) => partnerRecord(newVideo({ intent }), waiting, sentences);
    for (const intent of ['none', 'archive'] as const)
      expect(waits(intent)).to.have.property('waiting', 'source_unreachable');
    expect(waits('delete')).not.to.have.property('waiting');
  });

  it('a ready video has every field', () => {
    expect(record({ ...media, state: 'ready' })).to.include({
      state: 'VIDEO_STATE_READY',
      updatedAt: '2026-01-01T00:00:00.005Z',
      durationSeconds: 25,
      thumbnailUrl: 'https://media.example.com/a.jpg',
      playbackId: 'p1',
      mediaPlaybackId: 'p1',
    });
    expect(record({ ...media, state: 'ready' }).sourceWarnings).to.deep.equal([{ code: 'w', message: 'big' }]);
    expect(record({ ...media, state: 'ready' })).not.to.have.any.keys('progress', 'failure');
  });

  it('an archived video has its thumbnail but no playback id', () => {
    const seen = record({ ...media, state: 'archived' });
    expect(seen).not.to.have.property('playbackId');
    expect(seen).to.include({
      thumbnailUrl: 'https://media.example.com/a.jpg',
      mediaPlaybackId: 'p1',
      durationSeconds: 25,
    });
  });

  const captions = [
    track('en', { kind: 'captions' }),
    track('es', { status: 'processing', playlistKey: null, textKey: null }),
    track('de', { status: 'skipped', reason: 'no_path', playlistKey: null, textKey: null }),
  ];

  it('a ready or archived video has its tracks in their order, without object keys', () => {
    for (const state of ['ready', 'archived'] as const)
      expect(record({ ...media, state, captions }).captions).to.deep.equal([
        { language: 'en', kind: 'captions', status: 'ready' },
        { language: 'es', kind: 'subtitles', status: 'processing' },
        { language: 'de', kind: 'subtitles', status: 'skipped', reason: 'no_path' },
      ]);
    expect(record({ ...media, state: 'ready' }).captions).to.deep.equal([]);
    for (const state of ['processing', 'failed', 'deleted'] as const)
      expect(record({ ...media, state, captions })).not.to.have.property('captions');
  });

  it('playback and the index get only the tracks that can be played', () => {
    const lost = track('fr', { playlistKey: null });
    expect(readyTracks([...captions, lost]).map(({ language }) => language)).to.deep.equal(['en']);
    expect(readyTracks(captions)[0]).to.deep.equal({
      language: 'en',
      kind: 'captions',
      status: 'ready',
      name: 'en',
      playlistKey: captions[0]?.playlistKey,
      textKey: captions[0]?.textKey,
      path: ['en', 'en'],
    });
  });

  it('the description for metadata names the ready English translation, and no other track', () => {
    const describe = (...captions: Video['captions']) => descriptionRecord({ ...newVideo(), videoId: 'v', captions });
    const spoken = track('ja', { kind: 'captions' });
    expect(describe(spoken, track('es'), track('en-GB')).englishKey).to.equal(track('en-GB').textKey);
    for (const english of [track('en', { kind: 'captions' }), track('en', { status: 'processing' })])
      expect(describe(spoken, english)).not.to.have.any.keys('englishKey', 'captions');
    expect(describe(track('enm'))).not.to.have.any.keys('englishKey');
  });

  it('a failed video has its failure, with the message and whether a retry may help', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: { bytes: '0' } };
    const seen = record({ state: 'failed', failure });
    expect(seen.failure).to.deep.equal({ ...failure, retryable: false, message: 'The file is empty.' });
    expect(seen).not.to.have.any.keys('thumbnailUrl', 'playbackId', 'mediaPlaybackId', 'progress');
  });

  it('a deleted video keeps only its title and failure of the partner’s input', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    expect(record({ ...media, state: 'deleted', failure })).to.deep.equal({
      id: newVideo().id,
      state: 'VIDEO_STATE_DELETED',
      title: 'Final',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.005Z',
      failure: { ...failure, retryable: false, message: 'The file is empty.' },
    });
  });

  it('a very short video has a duration of one second', () => {
    expect(record({ state: 'ready', durationMs: 200 }).durationSeconds).to.equal(1);
  });
});
