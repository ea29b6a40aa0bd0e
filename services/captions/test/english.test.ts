/** English that the speech engine makes of what is spoken in a language that the translation engine lacks. */
import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { until } from '@vds/testkit/until';
import { publishRequest, purge, requestFor, stateOf, statusCounts, terminalEvent } from './catalog.ts';
import { tracksOf, withAdminClient } from './clients.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

function spokenBy(text: string) {
  return text.split(' ').map((word, index) => ({ text: word, start: 1 + index * 0.5, end: 1.4 + index * 0.5 }));
}

const usualOutcome = { ready: 4, 'skipped no_path': 1 };

describe('English made of the sound', function () {
  this.timeout(90_000);
  let engines: Engines;
  let harness: Harness;
  let worker: Worker;
  let rendition: string;
  before(async () => {
    engines = await startEngines({
      words: spokenBy('Se-oul-e-seo gyeong-gi-ga si-jak-dwaet-da.'),
      english: spokenBy('Rosalind Franklin scores 24 points.'),
      languages: ['en', 'es', 'fr'],
    });
    harness = await openHarness({
      ...engines.environment,
      ...{ SPEECH_LANGUAGES: 'ko,es,en', SPEECH_TRANSLATES: 'true', CAPTION_LANGUAGES: 'en,es,fr,de' },
      TIME_SCALE: '0.03,garbageAfter=1s,retryDelays=200ms,surveyEvery=200ms,dependencyLimit=1s,chunk=6s',
      SPEECH_TIMEOUT: '4s',
    });
    worker = await harness.startWorker();
    rendition = await putRendition(harness, newVideoId(), [silence(12)]);
  });
  afterEach(() => engines?.heal());
  after(async () => {
    await harness?.close();
    await engines?.close();
  });

  const request = (languageCode = 'ko') => requestFor(newVideoId(), rendition, { durationMs: 12_000, languageCode });
  const caption = async (languageCode?: string) => {
    const wanted = request(languageCode);
    await publishRequest(harness, wanted);
    return { ...wanted, state: stateOf(await terminalEvent(harness, wanted.videoId)) };
  };
  const rerun = async (videoId: string, languages: string[] = []) => {
    await withAdminClient(worker, (client) =>
      client.RerunTracks({ videoId, languages, actor: 'ann', reason: 'the engine is back' }),
    );
    const isSettled = async () =>
      (await harness.pool.query("SELECT 1 FROM caption_jobs WHERE video_id = $1 AND in_progress = '{}'", [videoId]))
        .rowCount === 1;
    await until(isSettled, { what: 'every track has ended' });
    return (await tracksOf(worker, videoId)).state as ReturnType<typeof stateOf>;
  };
  const trackOf = ({ tracks }: ReturnType<typeof stateOf>, language: string) =>
    tracks.find((track) => track.language === language) ?? expect.fail(`no track in ${language}`);
  const textOf = (state: ReturnType<typeof stateOf>, language: string): Promise<string> =>
    harness.read(trackOf(state, language).textKey ?? expect.fail(`${language} is not ready`));
  const englishKey = async (videoId: string): Promise<string | null> => {
    const text = `SELECT state ->> 'englishKey' AS key FROM caption_jobs WHERE video_id = $1`;
    const { rows } = await harness.pool.query<{ key: string | null }>(text, [videoId]);
    return rows[0]?.key ?? null;
  };
  const collected = (videoId: string): Promise<unknown> => {
    const text = `SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state <> 'done' AND name LIKE 'collect-%'`;
    return until(async () => (await harness.pool.query(text, [videoId])).rowCount === 0, { what: 'the collection' });
  };

  it('a Korean video gets English and what English is translated into, each with its route', async () => {
    const { state } = await caption();
    expect(statusCounts(state)).to.deep.equal(usualOutcome);
    expect(state.tracks.map(({ language, path }) => [language, path.join(' ')])).to.deep.equal([
      ['ko', 'ko'],
      ['en', 'ko en'],
      ['es', 'ko en es'],
      ['fr', 'ko en fr'],
      ['de', ''],
    ]);
    expect(trackOf(state, 'en')).to.include({ kind: 'subtitles', name: 'English (machine translation)' });
    expect(await textOf(state, 'ko')).to.include('Se-oul-e-seo');
    expect(await textOf(state, 'en'))
      .to.include('Rosalind Franklin scores 24 points.')
      .and.include('"language":"en"');
    expect(await textOf(state, 'es')).to.include('[es] Rosalind Franklin scores 24 points.');
    const playlist = trackOf(state, 'en').playlistKey ?? '';
    expect(await harness.read(playlist.replace('index.m3u8', 'captions.vtt'))).to.include('Franklin');
  });

  it('the sound is translated beside its transcription, and only where a track depends on it', async () => {
    const passes = () => [engines.count('speech'), engines.count('english')] as const;
    const madeIn = async (language: string) => {
      const [speech, english] = passes();
      const { state } = await caption(language);
      const after = passes();
      return { state, speech: after[0] - speech, english: after[1] - english };
    };
    const korean = await madeIn('ko');
    expect(korean.speech).to.be.greaterThan(1);
    expect(korean.english).to.equal(korean.speech);
    const spanish = await madeIn('es');
    expect([spanish.speech, spanish.english]).to.deep.equal([korean.speech, 0]);
    expect(trackOf(spanish.state, 'en').path).to.deep.equal(['es', 'en']);
    expect((await madeIn('en')).english).to.equal(0);
  });

  it('a rerun of one track translates the English that there is, and transcribes nothing', async () => {
    const { videoId, state: before } = await caption();
    await collected(videoId);
    const calls = [engines.count('speech'), engines.count('english')];
    const state = await rerun(videoId, ['es']);
    expect([engines.count('speech'), engines.count('english')]).to.deep.equal(calls);
    expect(trackOf(state, 'es').textKey).to.not.equal(trackOf(before, 'es').textKey);
    expect(await textOf(state, 'es')).to.include('[es] Rosalind Franklin');
    expect(trackOf(await rerun(videoId, ['en']), 'en').textKey).to.not.equal(trackOf(before, 'en').textKey);
    expect([engines.count('speech'), engines.count('english')]).to.deep.equal(calls);
  });

  it('a rerun of the spoken track makes its English again, and the collection of garbage removes the old one', async () => {
    const { videoId } = await caption();
    await collected(videoId);
    const old = (await englishKey(videoId)) ?? '';
    expect(await harness.keys(videoId)).to.include(old);
    const state = await rerun(videoId, ['ko']);
    expect(statusCounts(state)).to.deep.equal(usualOutcome);
    const now = (await englishKey(videoId)) ?? '';
    expect(now).to.match(/render-1\.\d+-[0-9a-f]+\/english\.json$/);
    await until(async () => !(await harness.keys(videoId)).includes(old), { what: 'the old English is removed' });
    expect(await harness.keys(videoId)).to.include(now);
  });

  it('a purge of other attempts keeps the English, also of the transcript that only catalog knows', async () => {
    const { videoId, state } = await caption();
    await collected(videoId);
    const key = (await englishKey(videoId)) ?? '';
    await purge(harness, videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', 1);
    await until(() => harness.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await harness.keys(videoId)).to.include(key);
    // As after a restore of the database to an earlier moment: the row names other folders.
    await harness.pool.query(
      `UPDATE caption_jobs SET state = replace(state::text, $2, 'again.1-ffffffffffff')::jsonb WHERE video_id = $1`,
      [videoId, key.split('/').at(-2) ?? ''],
    );
    await purge(harness, videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', 1, [state.transcriptKey ?? '']);
    await until(() => harness.of(videoId, 'video.purged').length === 2, { what: 'the second purge is confirmed' });
    expect(await harness.keys(videoId)).to.include(key);
  });

  it('an engine that rejects the translation of the sound costs its tracks and not the transcript', async () => {
    engines.trouble({ endpoint: 'english', fault: { kind: 'status', status: 400 }, times: 1 });
    const { videoId, state } = await caption();
    expect(statusCounts(state)).to.deep.equal({ ready: 1, 'failed engine_error': 3, 'skipped no_path': 1 });
    expect(await englishKey(videoId)).to.equal(null);
    // There is nothing to translate: the speech is transcribed again.
    expect(statusCounts(await rerun(videoId))).to.deep.equal(usualOutcome);
  });

  it('an engine that hangs on the translation of the sound does not cost the transcript either', async () => {
    engines.trouble({ endpoint: 'english', fault: { kind: 'silent' }, times: 1 });
    const { state } = await caption();
    expect(statusCounts(state)).to.deep.equal({ ready: 1, 'failed engine_error': 3, 'skipped no_path': 1 });
  });

  it('an engine that stays unavailable while it translates the sound does not cost the transcript in the end', async () => {
    engines.trouble({ endpoint: 'english', fault: { kind: 'status', status: 404 } });
    const { state } = await caption();
    expect(statusCounts(state)).to.deep.equal({ ready: 1, 'failed engine_error': 3, 'skipped no_path': 1 });
  });

  it('no English of speech that was transcribed is an error of the engine', async () => {
    engines.trouble({ endpoint: 'english', fault: { kind: 'empty' } });
    const { state } = await caption();
    expect(statusCounts(state)).to.deep.equal({ ready: 1, 'failed engine_error': 3, 'skipped no_path': 1 });
  });

  it('a video without speech is not translated, and none of its tracks is made', async () => {
    const calls = engines.count('english');
    engines.trouble({ endpoint: 'speech', fault: { kind: 'empty' } });
    const { state } = await caption();
    expect(statusCounts(state)).to.deep.equal({ 'skipped no_speech': 4, 'skipped no_path': 1 });
    expect(engines.count('english')).to.equal(calls);
  });

  it('an engine that is unavailable while it translates the sound is waited for', async () => {
    engines.trouble({ endpoint: 'english', fault: { kind: 'status', status: 503 }, times: 3 });
    const { state } = await caption();
    expect(statusCounts(state)).to.deep.equal(usualOutcome);
  });

  it('a process that is killed while the sound is translated leaves nothing behind', async () => {
    const before = engines.count('english');
    const wanted = request();
    const release = engines.hold('english');
    await publishRequest(harness, wanted);
    await until(() => engines.count('english') > before, { what: 'the sound is translated' });
    worker.process.kill('SIGKILL');
    release();
    worker = await harness.startWorker();
    const state = stateOf(await terminalEvent(harness, wanted.videoId));
    expect(statusCounts(state)).to.deep.equal(usualOutcome);
    const { sentences } = JSON.parse(await textOf(state, 'en')) as { sentences: { text: string }[] };
    expect(new Set(sentences.map(({ text }) => text))).to.deep.equal(new Set(['Rosalind Franklin scores 24 points.']));
    expect(harness.of(wanted.videoId, 'captions.completed')).to.have.length(1);
  });

  it('ListLanguages says which routes begin with English made of the sound', async () => {
    const { routes } = await withAdminClient(worker, (client) => client.ListLanguages({}));
    const route = (source: string, target: string) =>
      routes.find((one) => one.source === source && one.target === target);
    expect(route('ko', 'es')).to.deep.include({ path: ['ko', 'en', 'es'], fromSpeech: true });
    expect(route('es', 'en')).to.deep.include({ path: ['es', 'en'], fromSpeech: false });
    expect(route('ko', 'de')).to.deep.include({ path: [], fromSpeech: false });
  });
});
