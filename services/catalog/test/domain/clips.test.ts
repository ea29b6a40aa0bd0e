/** The records that the platform's apps and the index read. */
import { expect } from 'chai';
import { clipRecord, descriptionRecord, partnerRecord, protoState, readyTracks } from '../../src/domain/record.ts';
import { later, newVideo, track } from './fixtures.ts';

const { publisherId, title, summary, tags, sport, category, languageCode, thumbnailUrl } = newVideo();
const description = { videoId: 'v1', publisherId, title, summary, tags, sport, category, languageCode };
const bare = { ...description, summary: null, sport: null, category: null };
const live = { durationMs: 24_600, playbackId: 'p1', publishedAt: later(7) };

describe('clips and descriptions', () => {
  it('a description has the partner’s texts and omits what the partner omitted', () => {
    expect(descriptionRecord(description)).to.deep.equal(description);
    const required = { videoId: 'v1', publisherId, title, tags, languageCode };
    expect(descriptionRecord(bare)).to.deep.equal(required);
  });

  it('a clip has the playback id, the time at which it first went live, and the partner’s thumbnail if there is one', () => {
    const published = { durationMs: 24_600, playbackId: 'p1', publishedAt: '2026-01-01T00:00:00.007Z' };
    expect(clipRecord({ ...description, ...live, thumbnailUrl })).to.deep.equal({
      ...description,
      ...published,
      thumbnailUrl,
    });
    expect(clipRecord({ ...description, ...live, thumbnailUrl: null })).to.deep.equal({
      ...description,
      ...published,
    });
  });

  it('ready tracks have their playlist, and their text if there is one', () => {
    const { reason: _none, textKey, ...silent } = track('es');
    const ready = readyTracks([track('es'), track('fr', { status: 'failed' }), track('es', { textKey: null })]);
    expect(ready).to.deep.equal([{ ...silent, textKey }, silent]);
  });
});

describe('fields of the partner’s record', () => {
  const record = (changes: Parameters<typeof newVideo>[0]) => partnerRecord(newVideo(changes), [], {});

  it('the partner’s record omits what the partner omitted', () => {
    const none = { summary: null, sport: null, category: null, thumbnailUrl: null };
    expect(record({ ...none, state: 'ready' })).not.to.have.any.keys(
      ...['summary', 'sport', 'category', 'thumbnailUrl', 'playbackId', 'mediaPlaybackId', 'durationSeconds'],
    );
  });

  it('durations are rounded to whole seconds, halves upwards', () => {
    const seconds = (durationMs: number) => record({ state: 'ready', durationMs }).durationSeconds;
    expect([1_499, 1_500, 0].map(seconds)).to.deep.equal([1, 2, 1]);
  });

  it('warnings of the source are in every state after processing except deleted', () => {
    const warnings = [{ code: 'w', message: 'big' }];
    for (const state of ['ready', 'archived', 'failed'] as const)
      expect(record({ state, warnings }).sourceWarnings).to.deep.equal(warnings);
    for (const state of ['processing', 'deleted'] as const)
      expect(record({ state, warnings })).not.to.have.property('sourceWarnings');
  });

  it('a failure whose code has no sentence is not retryable and has no message', () => {
    const failure = { code: 'nobody_knows', stage: 'fetch', details: {} };
    expect(record({ state: 'failed', failure }).failure).to.deep.equal({ ...failure, retryable: false, message: '' });
  });

  it('states have the names of the interface', () => {
    expect(protoState('archived')).to.equal('VIDEO_STATE_ARCHIVED');
  });
});
