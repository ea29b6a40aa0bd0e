/** What the platform's apps and the index are told of a video. */
import { expect } from 'chai';
import { clipRecord, descriptionRecord, partnerRecord, protoState, readyTracks } from '../../src/domain/record.ts';
import { later, newVideo, track } from '../support.ts';

const { publisherId, title, summary, tags, sport, category, languageCode, thumbnailUrl } = newVideo();
const said = { videoId: 'v1', publisherId, title, summary, tags, sport, category, languageCode };
const bare = { ...said, summary: null, sport: null, category: null };
const live = { durationMs: 24_600, playbackId: 'p1', publishedAt: later(7) };

describe('what is told of a video', () => {
  it('describes it as the partner did, and leaves out what the partner left out', () => {
    expect(descriptionRecord(said)).to.deep.equal(said);
    const required = { videoId: 'v1', publisherId, title, tags, languageCode };
    expect(descriptionRecord(bare)).to.deep.equal(required);
  });

  it('has as a clip what plays it, the day it first went live, and the partner’s thumbnail if there is one', () => {
    const told = { durationMs: 24_600, playbackId: 'p1', publishedAt: '2026-01-01T00:00:00.007Z' };
    expect(clipRecord({ ...said, ...live, thumbnailUrl })).to.deep.equal({ ...said, ...told, thumbnailUrl });
    expect(clipRecord({ ...said, ...live, thumbnailUrl: null })).to.deep.equal({ ...said, ...told });
  });

  it('has of its tracks those that play, with their words if there are any', () => {
    const { reason: _none, textKey, ...silent } = track('es');
    const told = readyTracks([track('es'), track('fr', { status: 'failed' }), track('es', { textKey: null })]);
    expect(told).to.deep.equal([{ ...silent, textKey }, silent]);
  });
});

describe('what the partner is told', () => {
  const record = (changes: Parameters<typeof newVideo>[0]) => partnerRecord(newVideo(changes), [], {});

  it('leaves out what the partner left out', () => {
    const none = { summary: null, sport: null, category: null, thumbnailUrl: null };
    expect(record({ ...none, state: 'ready' })).not.to.have.any.keys(
      ...['summary', 'sport', 'category', 'thumbnailUrl', 'playbackId', 'mediaPlaybackId', 'durationSeconds'],
    );
  });

  it('rounds the duration to whole seconds, half of one upwards', () => {
    const seconds = (durationMs: number) => record({ state: 'ready', durationMs }).durationSeconds;
    expect([1_499, 1_500, 0].map(seconds)).to.deep.equal([1, 2, 1]);
  });

  it('has warnings of the source in every state after processing but the last', () => {
    const warnings = [{ code: 'w', message: 'big' }];
    for (const state of ['ready', 'archived', 'failed'] as const)
      expect(record({ state, warnings }).sourceWarnings).to.deep.equal(warnings);
    for (const state of ['processing', 'deleted'] as const)
      expect(record({ state, warnings })).not.to.have.property('sourceWarnings');
  });

  it('promises nothing of a failure whose code has no sentence', () => {
    const failure = { code: 'nobody_knows', stage: 'fetch', details: {} };
    expect(record({ state: 'failed', failure }).failure).to.deep.equal({ ...failure, retryable: false, message: '' });
  });

  it('is in the words of the interface', () => {
    expect(protoState('archived')).to.equal('VIDEO_STATE_ARCHIVED');
  });
});
