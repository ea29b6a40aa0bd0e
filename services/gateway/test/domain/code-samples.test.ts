import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { codeSamples } from '../../src/domain/code-samples.ts';

const body = { title: `It's "7:6" \\ $HOME \`x\` 🎾\n`, tags: null, live: true, list: ['a', "b'"], number: 1.5 };

describe('code samples', () => {
  const samples = codeSamples({ method: 'POST', path: '/v1/videos', body });
  const textOf = (language: string): string => samples.find((sample) => sample.language === language)?.text ?? '';

  it('the shell passes on the body of a sample in curl unchanged, whatever its characters', () => {
    const script = `curl() { for last; do :; done; printf %s "$last"; }\n${textOf('curl')}`;
    const env = { VDS_BASE_URL: 'http://127.0.0.1:1', VDS_API_KEY: 'key' };
    expect(JSON.parse(execFileSync('sh', ['-eu', '-c', script], { encoding: 'utf8', env }))).to.deep.equal(body);
  });

  it('the body of a sample in TypeScript is the JSON of the contract', () => {
    const [, literal = ''] = /body: JSON\.stringify\(([^]*)\),\n\}\);/.exec(textOf('typescript')) ?? [];
    expect(JSON.parse(literal)).to.deep.equal(body);
  });

  it('the body of a sample in Python has the literals of Python', () => {
    expect(textOf('python'))
      .to.include('"tags": None,')
      .and.include('"live": True,')
      .and.include(`"list": ["a", "b'"],`)
      .and.include('"title": "It\'s \\"7:6\\" \\\\ $HOME `x` 🎾\\n"');
  });

  it('a sample without a body names its method, and the id comes from the environment', () => {
    const [curl, typescript, python] = codeSamples({ method: 'DELETE', path: '/v1/videos/{id}', body: undefined });
    expect(curl?.text).to.include('--request DELETE "$VDS_BASE_URL/v1/videos/$VIDEO_ID"').and.not.include('--data');
    expect(typescript?.text).to.include('/v1/videos/${process.env.VIDEO_ID}`').and.include("method: 'DELETE'");
    expect(python?.text)
      .to.include('os.environ["VDS_BASE_URL"] + "/v1/videos/" + os.environ["VIDEO_ID"],')
      .and.include('method="DELETE"');
  });
});
