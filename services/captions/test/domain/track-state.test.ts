import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { openState, reopen, finish, finishAll, type Outcome } from '../../src/domain/track-state.ts';
import type { Track } from '../../src/domain/track.ts';

function track(language: string, more: Partial<Track> = {}): Track {
  return {
    ...{ language, kind: language === 'en' ? 'captions' : 'subtitles', status: 'processing', name: language },
    ...{ path: ['en', language], ...more },
  };
}
const planned = [track('en'), track('es'), track('de', { status: 'skipped', reason: 'no_path' })];
function ready(key: string, more = {}): Outcome {
  return {
    status: 'ready',
    playlistKey: `${key}/index.m3u8`,
    textKey: `${key}/track.json`,
    ...more,
  };
}
/** Languages whose tracks are still in progress. */
function waiting({ tracks }: ReturnType<typeof openState>): string[] {
  return tracks.filter(({ status }) => status === 'processing').map(({ language }) => language);
}
function isDone(state: ReturnType<typeof openState>): boolean {
  return waiting(state).length === 0;
}
const failed: Outcome = { status: 'failed', reason: 'engine_error' };

describe('track state', () => {
  it('the revision of a track state rises by one with every change, and not where nothing changed', () => {
    const first = finish(openState(planned), 'es', ready('a'));
    assert.deepEqual(
      [first.revision, finish(first, 'es', ready('a')).revision, finish(first, 'fr', failed).revision],
      [2, 2, 2],
    );
    assert.strictEqual(finish(first, 'es', ready('a')), first);
  });

  it('the transcript exists once the spoken track is ready, and its revision rises only where the text differs', () => {
    const first = finish(openState(planned), 'en', ready('a'));
    assert.deepEqual([first.transcriptKey, first.transcriptRevision], ['a/track.json', 1]);
    const same = finish(first, 'en', ready('b', { textChanged: false }));
    assert.deepEqual([same.transcriptKey, same.transcriptRevision], ['b/track.json', 1]);
    assert.equal(finish(same, 'en', ready('c', { textChanged: true })).transcriptRevision, 2);
    assert.equal(finish(openState(planned), 'es', ready('a')).transcriptRevision, 0);
  });

  it('the English of a transcript is replaced with it, and kept as long as it is', () => {
    const first = finish(openState(planned), 'en', ready('a', { englishKey: 'a/english.json' }));
    assert.equal(first.englishKey, 'a/english.json');
    assert.equal(finish(first, 'es', ready('b')).englishKey, 'a/english.json');
    assert.equal(finish(first, 'en', ready('c', { englishKey: 'c/english.json' })).englishKey, 'c/english.json');
    assert.notProperty(finish(first, 'en', ready('c')), 'englishKey');
    const noSpeech = { status: 'skipped', reason: 'no_speech' } as const;
    assert.equal(finishAll(first, noSpeech, 'd/track.json').englishKey, 'a/english.json');
  });

  it('a ready track stays ready when making it again fails', () => {
    const state = finish(openState(planned), 'es', ready('a'));
    assert.strictEqual(finish(state, 'es', failed), state);
  });

  it('a video without speech skips all open tracks and has an empty transcript', () => {
    const state = finishAll(openState(planned), { status: 'skipped', reason: 'no_speech' }, 'a/track.json');
    assert.deepEqual(
      state.tracks.map(({ reason }) => reason),
      ['no_speech', 'no_speech', 'no_path'],
    );
    assert.deepEqual([state.transcriptKey, state.transcriptRevision, isDone(state)], ['a/track.json', 1, true]);
  });

  it('reopening replans failed and skipped tracks, all of them or the ones named', () => {
    const over = finish(finish(openState(planned), 'en', ready('a')), 'es', failed);
    const today = [track('en'), track('es'), track('de')];
    assert.deepEqual(waiting(reopen(over, today, [])), ['es', 'de']);
    assert.deepEqual(waiting(reopen(over, today, ['de', 'en'])), ['de']);
    assert.strictEqual(reopen(over, planned, ['fr']), over);
  });

  it('a track state never moves back, and is done when the last track has ended', () => {
    const outcome = fc.constantFrom<Outcome>(ready('a'), ready('b'), failed, { status: 'skipped', reason: 'no_path' });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('en', 'es', 'de', 'xx'), outcome), { maxLength: 12 }), (moves) => {
        let state = openState(planned);
        for (const [language, next] of moves) {
          const after = finish(state, language, next);
          assert.equal(after.revision, state.revision + (after === state ? 0 : 1));
          assert.isAtLeast(after.transcriptRevision, state.transcriptRevision);
          assert.isTrue(waiting(after).every((one) => waiting(state).includes(one)));
          for (const { status, reason, playlistKey, textKey } of after.tracks) {
            assert.equal(status === 'failed' || status === 'skipped', reason !== undefined);
            assert.equal(status === 'ready', playlistKey !== undefined && textKey !== undefined);
          }
          state = after;
        }
        assert.equal(isDone(state), waiting(state).length === 0);
      }),
      { numRuns: runs(150) },
    );
  });
});
