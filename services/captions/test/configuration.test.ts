import { expect } from 'chai';
import { readConfig } from '@vds/chassis/config/config';
import { captionsConfig, checkTogether, targetsOf } from '../src/config.ts';

const least = {
  DATABASE_URL: 'postgresql://captions@127.0.0.1/captions',
  NATS_URL: 'nats://127.0.0.1:4222',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY: 'captions',
  S3_SECRET_KEY: 'secret',
};
function read(more: Readonly<Record<string, string>> = {}) {
  return readConfig(captionsConfig, { ...least, ...more });
}

describe('the configuration of captions', () => {
  it('has a working value for every variable but the stores', () => {
    const config = read();
    checkTogether(config);
    expect(config).to.include({ speechEngine: 'pocketsphinx', translationEngine: 'apertium', engineTries: 6 });
    expect(config.retryDelaysMs).to.deep.equal([1_000, 5_000, 20_000, 60_000]);
    expect(targetsOf(config)).to.have.length(21).and.include('ca-valencia');
    expect(targetsOf(read({ TRANSLATION_ENGINE: 'libretranslate' }))).to.include('ko');
  });

  it('names every bad variable at once', () => {
    const bad = {
      SPEECH_ENGINE: 'ears',
      SPEECH_URL: 'nowhere',
      SPEECH_LANGUAGES: 'en,english',
      CAPTION_LANGUAGES: 'es,not a tag',
      ENGINE_TRIES: '0',
      ENGINE_RETRY_DELAYS: '1s,soon',
      CHUNK_LENGTH: '3',
    };
    const names = Object.keys(bad);
    expect(() => read(bad))
      .to.throw()
      .that.satisfies(({ message }: Error) => names.every((name) => message.includes(name)));
  });

  it('puts language tags into their usual form', () => {
    expect(targetsOf(read({ CAPTION_LANGUAGES: 'PT-br, es,oc-Aranes' }))).to.deep.equal(['pt-BR', 'es', 'oc-aranes']);
  });

  it('says what an engine behind HTTP lacks', () => {
    const faults = () => checkTogether(read({ SPEECH_ENGINE: 'openai', TRANSLATION_ENGINE: 'libretranslate' }));
    expect(faults).to.throw('SPEECH_URL').with.property('message').that.includes('TRANSLATION_URL');
  });
});
