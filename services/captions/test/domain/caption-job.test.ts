import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import {
  requestAgain,
  isSettled,
  openJob,
  planFor,
  reopenJob,
  replan,
  settleGeneration,
  settleTrack,
  type Known,
  type CaptionJob,
} from '../../src/domain/caption-job.ts';

const targets = ['en', 'es', 'fr', 'de'];
const request = { language: 'en', durationMs: 60_000, hasAudio: true, audioPlaylistKey: 'videos/v/1/a/index.m3u8' };
const of = { ...request, videoId: 'v', attempt: 1, publisherId: 'p', stageRevision: 0 };
const nothingKnown: Known = { speechLanguages: undefined, routes: undefined };
function reach(...languages: readonly string[]): Known {
  return {
    speechLanguages: ['en'],
    routes: (from, to) => (languages.includes(to) ? [from, to] : undefined),
  };
}
function plan(known: Known) {
  return planFor(request, targets, known);
}
function open(): CaptionJob {
  return openJob(of, plan(nothingKnown));
}
function ready(folder: string) {
  return { status: 'ready', playlistKey: `${folder}/index.m3u8`, textKey: `${folder}/track.json` } as const;
}
function statuses({ state }: CaptionJob): Record<string, string> {
  return Object.fromEntries(state.tracks.map(({ language, status, reason }) => [language, reason ?? status]));
}

/** Captions in which every track but German was made. */
function made(): CaptionJob {
  let title = replan(open(), plan(reach('es', 'fr')));
  for (const language of ['en', 'es', 'fr']) title = settleTrack(title, 0, language, ready(`${language}.1`), ['en']);
  return title;
}

describe('a title', () => {
  it('is listed as a whole before anything is known of the engines', () => {
    expect(statuses(open())).to.deep.equal({ en: 'processing', es: 'processing', fr: 'processing', de: 'processing' });
    expect(open().inProgress).to.deep.equal({ en: 0, es: 0, fr: 0, de: 0 });
    expect(open().state.revision).to.equal(1);
  });

  it('ends tracks that cannot be made when the engines have been asked, and leaves open what they could not say', () => {
    const title = replan(open(), plan(reach('es')));
    expect(statuses(title)).to.deep.equal({ en: 'processing', es: 'processing', fr: 'no_path', de: 'no_path' });
    expect(title.inProgress).to.deep.equal({ en: 0, es: 0 });
    const away = replan(open(), plan({ speechLanguages: ['en'], routes: undefined }));
    expect(statuses(away)).to.deep.equal(statuses(open()));
    expect(isSettled(replan(open(), plan({ speechLanguages: ['pt'], routes: undefined })))).to.equal(true);
  });

  it('takes results of the generation that makes a track, and of no other', () => {
    const title = open();
    expect(settleTrack(title, 1, 'es', ready('es.1'))).to.equal(title);
    const settled = settleTrack(title, 0, 'es', ready('es.1'), ['en', 'ca', 'es']);
    expect(settled.state.tracks[1]).to.include({ status: 'ready', textKey: 'es.1/track.json' });
    expect(settled.state.tracks[1]?.path).to.deep.equal(['en', 'ca', 'es']);
    expect(settleTrack(settled, 0, 'es', ready('es.2'))).to.equal(settled);
  });

  it('end together where the speech could not be transcribed', () => {
    const failed = settleGeneration(open(), 0, { status: 'failed', reason: 'engine_error' });
    expect(new Set(Object.values(statuses(failed)))).to.deep.equal(new Set(['engine_error']));
    expect(isSettled(failed)).to.equal(true);
    expect(settleGeneration(failed, 0, { status: 'failed', reason: 'engine_error' })).to.equal(failed);
  });
});

describe('a retry', () => {
  it('translates what had no way before, out of the transcript that there is', () => {
    const { job: title, transcribe, translate } = reopenJob(made(), plan(reach('es', 'fr', 'de')), []);
    expect({ transcribe, translate }).to.deep.equal({ transcribe: false, translate: ['de'] });
    expect(title.inProgress).to.deep.equal({ de: 1 });
    expect(statuses(title)).to.deep.equal({ en: 'ready', es: 'ready', fr: 'ready', de: 'processing' });
  });

  it('is no retry where nothing has changed, and the second of two is none', () => {
    const before = made();
    expect(reopenJob(before, plan(reach('es', 'fr')), [])).to.deep.include({ transcribe: false, translate: [] });
    expect(reopenJob(before, plan(reach('es', 'fr')), []).job.state).to.equal(before.state);
    const once = reopenJob(before, plan(reach('es', 'fr', 'de')), []).job;
    const twice = reopenJob(once, plan(reach('es', 'fr', 'de')), []);
    expect(twice).to.deep.include({ transcribe: false, translate: [] });
    expect(twice.job).to.deep.equal(once);
  });

  it('keeps a named track that is ready until it is replaced', () => {
    const { job: title, translate } = reopenJob(made(), plan(reach('es', 'fr')), ['es']);
    expect(translate).to.deep.equal(['es']);
    expect(title.state.tracks[1]).to.include({ status: 'ready', textKey: 'es.1/track.json' });
    const replaced = settleTrack(title, 1, 'es', ready('es.2'));
    expect(replaced.state.tracks[1]).to.include({ status: 'ready', textKey: 'es.2/track.json' });
    expect(settleTrack(title, 1, 'es', { status: 'failed', reason: 'engine_error' }).state).to.deep.equal(title.state);
  });

  it('hears the speech anew where its track is named, and makes every other one again with it', () => {
    const { job: title, transcribe, translate } = reopenJob(made(), plan(reach('es', 'fr')), ['en']);
    expect({ transcribe, translate }).to.deep.equal({ transcribe: true, translate: [] });
    expect(title.inProgress).to.deep.equal({ en: 1, es: 1, fr: 1 });
  });

  it('hears the speech anew where there is no transcript', () => {
    const failed = settleGeneration(open(), 0, { status: 'failed', reason: 'engine_error' });
    const { job: title, transcribe } = reopenJob(failed, plan(reach('es', 'fr')), ['es']);
    expect(transcribe).to.equal(true);
    expect(title.inProgress).to.deep.equal({ en: 1, es: 1, fr: 1 });
    expect(statuses(title)).to.deep.equal({ en: 'processing', es: 'processing', fr: 'processing', de: 'no_path' });
  });

  it('joins a hearing that is under way', () => {
    const first = reopenJob(made(), plan(reach('es', 'fr')), ['en']).job;
    const { job: title, transcribe, translate } = reopenJob(first, plan(reach('es', 'fr', 'de')), ['de']);
    expect({ transcribe, translate }).to.deep.equal({ transcribe: false, translate: [] });
    expect(title.inProgress).to.deep.equal({ en: 1, es: 1, fr: 1, de: 1 });
  });

  it('comes to its end where nobody can hear the speech any more, and may be asked for again', () => {
    const deaf = plan({ speechLanguages: ['pt'], routes: undefined });
    // As requested while the engine could not be reached.
    const title = replan(reopenJob(made(), plan(nothingKnown), ['en']).job, deaf);
    expect(title.inProgress).to.deep.equal({});
    expect(statuses(title)).to.deep.equal({ en: 'ready', es: 'ready', fr: 'ready', de: 'language_unsupported' });
    const { translate } = reopenJob(title, plan(reach('es', 'fr', 'de')), []);
    expect(translate).to.deep.equal(['de']);
  });

  it('ends a track that the operator’s list no longer has, too, where nobody can hear the speech', () => {
    const deaf = planFor(request, ['es'], { speechLanguages: [], routes: undefined });
    expect(new Set(Object.values(statuses(replan(open(), deaf))))).to.deep.equal(new Set(['language_unsupported']));
    expect(isSettled(replan(open(), deaf))).to.equal(true);
  });

  it('that hears nothing leaves a ready track its transcript', () => {
    const { job: title } = reopenJob(made(), plan(reach('es', 'fr')), ['en']);
    const silent = settleGeneration(title, 1, { status: 'skipped', reason: 'no_speech' }, 'render-1.1/track.json');
    expect(statuses(silent)['en']).to.equal('ready');
    expect(silent.state.transcriptKey).to.equal('en.1/track.json');
  });

  it('that the stage overtakes is made anew with it, though the operator has dropped its language since', () => {
    const retried = reopenJob(made(), plan(reach('es', 'fr', 'de')), []).job;
    const title = requestAgain(retried, { ...request, stageRevision: 1 });
    expect(title.inProgress).to.deep.equal({ en: 3, es: 3, fr: 3, de: 3 });
    // German is no longer on the list.
    const heard = replan(title, planFor(request, ['es', 'fr'], reach('es', 'fr')));
    expect(heard.inProgress['de']).to.equal(3);
    const after = settleTrack(heard, 3, 'de', { status: 'skipped', reason: 'no_path' });
    expect(statuses(after)['de']).to.equal('no_path');
  });

  it('overtakes translations of the old text', () => {
    const first = reopenJob(made(), plan(reach('es', 'fr')), ['es']).job;
    const { job: title } = reopenJob(first, plan(reach('es', 'fr')), ['en']);
    expect(title.inProgress).to.deep.equal({ en: 2, es: 2, fr: 2 });
    expect(settleTrack(title, 1, 'es', ready('es.old'))).to.equal(title);
  });

  it('never lowers the revision, never loses a ready track, and leaves nothing under way in the end', () => {
    const step = fc.record({
      languages: fc.subarray(targets),
      there: fc.subarray(['es', 'fr', 'de']),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        let title = made();
        for (const { languages, there, fails } of steps) {
          const was = title;
          const again = reopenJob(title, plan(reach(...there)), languages);
          title = again.job;
          const waiting = Object.entries(title.inProgress);
          for (const [language, generation] of waiting) {
            const outcome = fails
              ? ({ status: 'failed', reason: 'engine_error' } as const)
              : ready(`${language}.${generation}`);
            title = settleTrack(title, generation, language, outcome);
          }
          expect(isSettled(title)).to.equal(true);
          expect(title.state.revision).to.be.at.least(was.state.revision);
          was.state.tracks.forEach(({ status }, index) => {
            if (status === 'ready') expect(title.state.tracks[index]?.status).to.equal('ready');
          });
          expect(title.state.tracks.filter(({ status }) => status === 'processing')).to.deep.equal([]);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
