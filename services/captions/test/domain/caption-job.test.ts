import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import {
  beginCorrection,
  requestAgain,
  isSettled,
  needsEnglish,
  openJob,
  planFor,
  reopenJob,
  replan,
  finishGeneration,
  finishInProgress,
  finishTrack,
  unknownCapabilities,
  type Capabilities,
  type CaptionJob,
} from '../../src/domain/caption-job.ts';
import { abandonCorrection } from '../../src/domain/jobs/render-correction.ts';
import { findRoutes, routesThrough } from '../../src/domain/routes.ts';

const targets = ['en', 'es', 'fr', 'de'];
const request = {
  language: 'en',
  durationMs: 60_000,
  hasAudio: true,
  audioPlaylistKey: 'videos/v/1/a/index.m3u8',
  textsKey: '',
  textLanguages: [],
  soundCues: false,
  names: [],
};
const of = { ...request, videoId: 'v', attempt: 1, publisherId: 'p', stageRevision: 0 };
function reach(...languages: readonly string[]): Capabilities {
  return {
    speechLanguages: ['en'],
    routes: (from, to) => (languages.includes(to) ? { from: 'text', path: [from, to] } : undefined),
    speechToEnglish: false,
  };
}
function plan(known: Pick<Capabilities, 'speechLanguages' | 'routes'>) {
  return planFor(request, targets, known);
}
function rerun(job: CaptionJob, known: Capabilities, languages: readonly string[]) {
  return reopenJob(job, plan(known), languages, known);
}
function open(): CaptionJob {
  return openJob(of, plan(unknownCapabilities));
}
function ready(folder: string) {
  return { status: 'ready', playlistKey: `${folder}/index.m3u8`, textKey: `${folder}/track.json` } as const;
}
function statuses({ state }: CaptionJob): Record<string, string> {
  return Object.fromEntries(state.tracks.map(({ language, status, reason }) => [language, reason ?? status]));
}

/** Captions in which every track but German was made. */
function settledJob(): CaptionJob {
  let job = replan(open(), plan(reach('es', 'fr')));
  for (const language of ['en', 'es', 'fr']) job = finishTrack(job, 0, language, ready(`${language}.1`), ['en']);
  return job;
}

describe('caption job', () => {
  it('what is in progress fails when it is given up, and tracks that are ready or skipped stay', () => {
    const spoken = finishTrack(open(), 0, 'en', ready('en.1'));
    const one = finishTrack(spoken, 0, 'es', ready('es.1'));
    const after = finishInProgress(one, { status: 'failed', reason: 'engine_error' });
    expect(isSettled(after)).to.equal(true);
    expect(statuses(after)).to.deep.equal({ en: 'ready', es: 'ready', fr: 'engine_error', de: 'engine_error' });
    expect(finishInProgress(after, { status: 'failed', reason: 'engine_error' })).to.equal(after);
  });

  it('a new caption job lists every track before anything is known of the engines', () => {
    expect(statuses(open())).to.deep.equal({ en: 'processing', es: 'processing', fr: 'processing', de: 'processing' });
    expect(open().inProgress).to.deep.equal({ en: 0, es: 0, fr: 0, de: 0 });
    expect(open().state.revision).to.equal(1);
  });

  it('replanning ends tracks that the engines cannot make, and leaves those of an unavailable engine open', () => {
    const job = replan(open(), plan(reach('es')));
    expect(statuses(job)).to.deep.equal({ en: 'processing', es: 'processing', fr: 'no_path', de: 'no_path' });
    expect(job.inProgress).to.deep.equal({ en: 0, es: 0 });
    const unavailable = replan(open(), plan({ speechLanguages: ['en'], routes: undefined }));
    expect(statuses(unavailable)).to.deep.equal(statuses(open()));
    expect(isSettled(replan(open(), plan({ speechLanguages: ['pt'], routes: undefined })))).to.equal(true);
  });

  it('a caption job accepts results of the generation that makes a track, and of no other', () => {
    const job = open();
    expect(finishTrack(job, 1, 'es', ready('es.1'))).to.equal(job);
    const settled = finishTrack(job, 0, 'es', ready('es.1'), ['en', 'ca', 'es']);
    expect(settled.state.tracks[1]).to.include({ status: 'ready', textKey: 'es.1/track.json' });
    expect(settled.state.tracks[1]?.path).to.deep.equal(['en', 'ca', 'es']);
    expect(finishTrack(settled, 0, 'es', ready('es.2'))).to.equal(settled);
  });

  it('all tracks of a caption job end together where the speech could not be transcribed', () => {
    const failed = finishGeneration(open(), 0, { status: 'failed', reason: 'engine_error' });
    expect(new Set(Object.values(statuses(failed)))).to.deep.equal(new Set(['engine_error']));
    expect(isSettled(failed)).to.equal(true);
    expect(finishGeneration(failed, 0, { status: 'failed', reason: 'engine_error' })).to.equal(failed);
  });
});

describe('needsEnglish', () => {
  const pairs = [
    { from: 'es', to: 'en', weight: 1 },
    { from: 'en', to: 'de', weight: 1 },
  ];
  const routes = routesThrough(findRoutes(pairs), true);
  const known: Capabilities = { speechLanguages: ['*'], routes, speechToEnglish: true };
  const spokenIn = (language: string, inProgress: readonly string[]): CaptionJob => ({
    ...openJob({ ...of, language }, planFor({ ...request, language }, targets, unknownCapabilities)),
    inProgress: Object.fromEntries(inProgress.map((one) => [one, 0])),
  });

  it('English is made of the sound only where a track in progress depends on it', () => {
    expect(needsEnglish(spokenIn('ko', ['ko', 'en']), known)).to.equal(true);
    // Also where English itself is not among the tracks.
    expect(needsEnglish(spokenIn('ko', ['ko', 'de']), known)).to.equal(true);
    expect(needsEnglish(spokenIn('ko', ['ko', 'fr']), known)).to.equal(false);
    expect(needsEnglish(spokenIn('es', ['es', 'en']), known)).to.equal(false);
    expect(needsEnglish(spokenIn('en', ['en', 'es']), known)).to.equal(false);
    expect(needsEnglish(spokenIn('ko', ['ko', 'en']), { ...known, speechToEnglish: false })).to.equal(false);
  });

  it('while the translation engine is unavailable, English is made of the sound in case a track depends on it', () => {
    expect(needsEnglish(spokenIn('es', ['es', 'en']), { ...known, routes: undefined })).to.equal(true);
    expect(needsEnglish(spokenIn('es', ['es']), { ...known, routes: undefined })).to.equal(false);
    expect(needsEnglish(spokenIn('en', ['en', 'es']), { ...known, routes: undefined })).to.equal(false);
  });
});

describe('rerun of tracks', () => {
  it('a rerun translates a track that had no route before, from the existing transcript', () => {
    const { job, transcribe, translate } = rerun(settledJob(), reach('es', 'fr', 'de'), []);
    expect({ transcribe, translate }).to.deep.equal({ transcribe: false, translate: ['de'] });
    expect(job.inProgress).to.deep.equal({ de: 1 });
    expect(statuses(job)).to.deep.equal({ en: 'ready', es: 'ready', fr: 'ready', de: 'processing' });
  });

  it('a rerun changes nothing where the engines support no more, and neither does a second rerun', () => {
    const before = settledJob();
    expect(rerun(before, reach('es', 'fr'), [])).to.deep.include({ transcribe: false, translate: [] });
    expect(rerun(before, reach('es', 'fr'), []).job.state).to.equal(before.state);
    const once = rerun(before, reach('es', 'fr', 'de'), []).job;
    const twice = rerun(once, reach('es', 'fr', 'de'), []);
    expect(twice).to.deep.include({ transcribe: false, translate: [] });
    expect(twice.job).to.deep.equal(once);
  });

  it('a rerun keeps a named track that is ready until it is replaced', () => {
    const { job, translate } = rerun(settledJob(), reach('es', 'fr'), ['es']);
    expect(translate).to.deep.equal(['es']);
    expect(job.state.tracks[1]).to.include({ status: 'ready', textKey: 'es.1/track.json' });
    const replaced = finishTrack(job, 1, 'es', ready('es.2'));
    expect(replaced.state.tracks[1]).to.include({ status: 'ready', textKey: 'es.2/track.json' });
    expect(finishTrack(job, 1, 'es', { status: 'failed', reason: 'engine_error' }).state).to.deep.equal(job.state);
  });

  it('a rerun of the spoken track transcribes the speech again and makes every other track again', () => {
    const { job, transcribe, translate } = rerun(settledJob(), reach('es', 'fr'), ['en']);
    expect({ transcribe, translate }).to.deep.equal({ transcribe: true, translate: [] });
    expect(job.inProgress).to.deep.equal({ en: 1, es: 1, fr: 1 });
  });

  it('a rerun transcribes the speech again if there is no transcript', () => {
    const failed = finishGeneration(open(), 0, { status: 'failed', reason: 'engine_error' });
    const { job, transcribe } = rerun(failed, reach('es', 'fr'), ['es']);
    expect(transcribe).to.equal(true);
    expect(job.inProgress).to.deep.equal({ en: 1, es: 1, fr: 1 });
    expect(statuses(job)).to.deep.equal({ en: 'processing', es: 'processing', fr: 'processing', de: 'no_path' });
  });

  it('a rerun joins a transcription in progress', () => {
    const first = rerun(settledJob(), reach('es', 'fr'), ['en']).job;
    const { job, transcribe, translate } = rerun(first, reach('es', 'fr', 'de'), ['de']);
    expect({ transcribe, translate }).to.deep.equal({ transcribe: false, translate: [] });
    expect(job.inProgress).to.deep.equal({ en: 1, es: 1, fr: 1, de: 1 });
  });

  it('a rerun ends where no engine can transcribe the speech any more, and a later one is accepted', () => {
    const planned = plan({ speechLanguages: ['pt'], routes: undefined });
    // As requested while the engine could not be reached.
    const job = replan(rerun(settledJob(), unknownCapabilities, ['en']).job, planned);
    expect(job.inProgress).to.deep.equal({});
    expect(statuses(job)).to.deep.equal({ en: 'ready', es: 'ready', fr: 'ready', de: 'language_unsupported' });
    const { translate } = rerun(job, reach('es', 'fr', 'de'), []);
    expect(translate).to.deep.equal(['de']);
  });

  it('a track that the operator’s list no longer has ends, too, where no engine can transcribe the speech', () => {
    const planned = planFor(request, ['es'], { speechLanguages: [], routes: undefined });
    expect(new Set(Object.values(statuses(replan(open(), planned))))).to.deep.equal(new Set(['language_unsupported']));
    expect(isSettled(replan(open(), planned))).to.equal(true);
  });

  it('a rerun that finds no speech leaves a ready track its transcript', () => {
    const { job } = rerun(settledJob(), reach('es', 'fr'), ['en']);
    const silent = finishGeneration(job, 1, { status: 'skipped', reason: 'no_speech' }, 'render-1.1/track.json');
    expect(statuses(silent)['en']).to.equal('ready');
    expect(silent.state.transcriptKey).to.equal('en.1/track.json');
  });

  it('a repeated stage makes the tracks of a rerun again, even of a language that the operator has dropped', () => {
    const again = rerun(settledJob(), reach('es', 'fr', 'de'), []).job;
    const { job } = requestAgain(again, { ...request, stageRevision: 1 });
    expect(job.inProgress).to.deep.equal({ en: 3, es: 3, fr: 3, de: 3 });
    // German is no longer on the list.
    const replanned = replan(job, planFor(request, ['es', 'fr'], reach('es', 'fr')));
    expect(replanned.inProgress['de']).to.equal(3);
    const after = finishTrack(replanned, 3, 'de', { status: 'skipped', reason: 'no_path' });
    expect(statuses(after)['de']).to.equal('no_path');
  });

  it('a rerun of the spoken track replaces translations of the old text that are in progress', () => {
    const first = rerun(settledJob(), reach('es', 'fr'), ['es']).job;
    const { job } = rerun(first, reach('es', 'fr'), ['en']);
    expect(job.inProgress).to.deep.equal({ en: 2, es: 2, fr: 2 });
    expect(finishTrack(job, 1, 'es', ready('es.old'))).to.equal(job);
  });

  it('a rerun that needs English made of the sound uses an existing one, else transcribes the speech again', () => {
    const korean = { ...request, language: 'ko' };
    const known: Capabilities = {
      speechLanguages: ['ko'],
      routes: routesThrough(findRoutes([{ from: 'en', to: 'es', weight: 1 }]), true),
      speechToEnglish: true,
    };
    const planned = planFor(korean, targets, known);
    const again = (job: CaptionJob, languages: readonly string[]) => reopenJob(job, planned, languages, known);
    const spokenOnly = (englishKey?: string): CaptionJob => {
      const opened = replan(openJob({ ...of, language: 'ko' }, planFor(korean, targets, unknownCapabilities)), planned);
      const transcribed = finishTrack(opened, 0, 'ko', { ...ready('ko.1'), ...(englishKey && { englishKey }) });
      return finishInProgress(transcribed, { status: 'failed', reason: 'engine_error' });
    };
    const lacking = again(spokenOnly(), ['es']);
    expect(lacking).to.deep.include({ transcribe: true, translate: [] });
    expect(lacking.job.inProgress).to.deep.equal({ ko: 1, en: 1, es: 1 });
    const second = again(lacking.job, ['es']);
    expect(second).to.deep.include({ job: lacking.job, transcribe: false, translate: [] });
    expect(again(spokenOnly('ko.1/english.json'), ['es'])).to.deep.include({ transcribe: false, translate: ['es'] });
    expect(again(spokenOnly('ko.1/english.json'), [])).to.deep.include({ transcribe: false, translate: ['en', 'es'] });
    // Of a language that the operator has since dropped, nothing is made.
    const dropped = reopenJob(spokenOnly(), planFor(korean, ['fr'], known), ['es'], known);
    expect(dropped).to.deep.include({ transcribe: false, translate: [] });
  });

  it('a rerun never lowers the revision, never loses a ready track, and leaves nothing in progress in the end', () => {
    const step = fc.record({
      languages: fc.subarray(targets),
      reachable: fc.subarray(['es', 'fr', 'de']),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        let job = settledJob();
        for (const { languages, reachable, fails } of steps) {
          const before = job;
          const again = rerun(job, reach(...reachable), languages);
          job = again.job;
          const waiting = Object.entries(job.inProgress);
          for (const [language, generation] of waiting) {
            const outcome = fails
              ? ({ status: 'failed', reason: 'engine_error' } as const)
              : ready(`${language}.${generation}`);
            job = finishTrack(job, generation, language, outcome);
          }
          expect(isSettled(job)).to.equal(true);
          expect(job.state.revision).to.be.at.least(before.state.revision);
          before.state.tracks.forEach(({ status }, index) => {
            if (status === 'ready') expect(job.state.tracks[index]?.status).to.equal('ready');
          });
          expect(job.state.tracks.filter(({ status }) => status === 'processing')).to.deep.equal([]);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('whatever is rerun, no track is translated from English that its transcript lacks, unless the engine made none', () => {
    const korean = { ...request, language: 'ko' };
    const pairs = [
      { from: 'en', to: 'es', weight: 1 },
      { from: 'ko', to: 'fr', weight: 1 },
    ];
    const known = (speechToEnglish: boolean): Capabilities => ({
      ...{ speechLanguages: ['ko'], routes: routesThrough(findRoutes(pairs), speechToEnglish), speechToEnglish },
    });
    const step = fc.record({
      languages: fc.subarray(['ko', ...targets]),
      speechToEnglish: fc.boolean(),
      fails: fc.constantFrom('nothing', 'english', 'all'),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let job = openJob({ ...of, language: 'ko' }, planFor(korean, targets, unknownCapabilities));
        const failed = { status: 'failed', reason: 'engine_error' } as const;
        for (const [index, { languages, speechToEnglish, fails }] of steps.entries()) {
          const now = known(speechToEnglish);
          const again = index === 0 ? undefined : reopenJob(job, planFor(korean, targets, now), languages, now);
          job = again?.job ?? replan(job, planFor(korean, targets, now));
          const english = needsEnglish(job, now) && fails !== 'english';
          const { generation } = job;
          if (again?.transcribe ?? true) {
            const folder = `ko.${generation}`;
            const made = { ...ready(folder), ...(english && { englishKey: `${folder}/english.json` }) };
            job =
              fails === 'all' ? finishGeneration(job, generation, failed) : finishTrack(job, generation, 'ko', made);
          }
          for (const [language, of] of Object.entries(job.inProgress)) {
            const bySpeech = now.routes?.('ko', language)?.from === 'speech';
            const lacks = bySpeech && job.state.englishKey === undefined;
            if (lacks) expect(fails).to.equal('english');
            job = finishTrack(job, of, language, lacks || fails === 'all' ? failed : ready(`${language}.${of}`));
          }
          expect(isSettled(job)).to.equal(true);
          const { transcriptKey, englishKey } = job.state;
          if (englishKey !== undefined) expect(englishKey.split('/')[0]).to.equal(transcriptKey?.split('/')[0]);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('a correction that cannot be stored leaves the track as it was, whoever corrected it before', () => {
    const begin = (job: CaptionJob, by: string) => beginCorrection(job, plan(reach('es', 'fr')), 'es', by);
    const abandon = (job: CaptionJob, was?: string) => {
      const { generation } = job;
      return abandonCorrection(job, {
        generation,
        language: 'es',
        by: 'bea',
        ...(was !== undefined && { was }),
        cues: [],
      });
    };
    const before = settledJob();
    const never = abandon(begin(before, 'bea'));
    expect(never.state.tracks).to.deep.equal(before.state.tracks);
    expect(isSettled(never)).to.equal(true);
    const begun = begin(before, 'ann');
    const corrected = finishTrack(begun, begun.generation, 'es', { ...ready('es.2'), correctedBy: 'ann' });
    expect(abandon(begin(corrected, 'bea'), 'ann').state.tracks).to.deep.equal(corrected.state.tracks);
  });
});
