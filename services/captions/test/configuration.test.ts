import { expect } from 'chai';
import { readConfig } from '@vds/chassis/config/config';
import { captionsConfig, checkTogether, targetsOf } from '../src/config.ts';

const least = {
  DATABASE_URL: 'postgresql://captions@127.0.0.1/captions',
  NATS_URL: 'nats://127.0.0.1:4222',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY: 'captions',
  S3_SECRET_KEY: 'secret',
  AUTH_RPC: 'dns:///auth:50051',
  CATALOG_RPC: 'dns:///catalog:50051',
  RPC_TOKEN: 'token',
};
function read(more: Readonly<Record<string, string>> = {}) {
  return readConfig(captionsConfig, { ...least, ...more });
}

describe('captions configuration', () => {
  it('the captions configuration has a working default for every variable but the stores and its peers', () => {
    const config = read();
    checkTogether(config);
    expect(config).to.include({ speechEngine: 'whisper', translationEngine: 'apertium' });
    expect(config.retryDelaysMs).to.deep.equal([1_000, 5_000, 20_000, 60_000]);
    expect(targetsOf(config)).to.have.length(24).and.include('ca-valencia');
    expect(targetsOf(read({ TRANSLATION_ENGINE: 'libretranslate' })))
      .to.include('ko')
      .and.not.include('ca');
  });

  it('the captions configuration names every bad variable at once', () => {
    const bad = {
      SPEECH_ENGINE: 'unknown',
      SPEECH_URL: 'nowhere',
      SPEECH_LANGUAGES: 'en,english',
      CAPTION_LANGUAGES: 'es,not a tag',
      TIME_SCALE: 'retryDelays=1s+soon',
    };
    const names = Object.keys(bad);
    expect(() => read(bad))
      .to.throw()
      .that.satisfies(({ message }: Error) => names.every((name) => message.includes(name)));
  });

  it('CAPTION_LANGUAGES accepts tags in any case and yields their canonical form', () => {
    expect(targetsOf(read({ CAPTION_LANGUAGES: 'PT-br, es,oc-Aranes' }))).to.deep.equal(['pt-BR', 'es', 'oc-aranes']);
  });

  it('the captions configuration names the addresses that an engine behind HTTP lacks', () => {
    const faults = () => checkTogether(read({ SPEECH_ENGINE: 'openai', TRANSLATION_ENGINE: 'libretranslate' }));
    expect(faults).to.throw('SPEECH_URL').with.property('message').that.includes('TRANSLATION_URL');
    const folder = () => checkTogether(read({ TRANSLATION_ENGINE: 'ctranslate2' }));
    expect(folder).to.throw('TRANSLATION_MODEL is not set');
  });
});
