import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  choice,
  commaSeparated,
  duration,
  flag,
  integer,
  optional,
  readConfig,
  secret,
  secretList,
  text,
  url,
  withDefault,
} from '../../src/config/config.ts';

describe('config', () => {
  it('each kind of value is read', () => {
    const config = readConfig(
      {
        a: ['A', text],
        b: ['B', integer(1, 9)],
        c: ['C', duration],
        d: ['D', flag],
        e: ['E', commaSeparated],
        f: ['F', choice('x', 'y')],
        g: ['G', withDefault(integer(), 7)],
        h: ['H', optional(text)],
      },
      { A: 'hi', B: '3', C: '1.5m', D: 'true', E: ' p, q,,', F: 'y' },
    );
    expect(config).to.deep.equal({ a: 'hi', b: 3, c: 90_000, d: true, e: ['p', 'q'], f: 'y', g: 7, h: undefined });
  });

  it('one error lists every invalid variable', () => {
    const read = () =>
      readConfig({ a: ['A', text], b: ['B', integer(1, 9)], c: ['C', duration] }, { B: '10', C: 'soon' });
    expect(read).to.throw(/A is not set[\s\S]*B must be a whole number from 1 to 9[\s\S]*C must be a duration/);
  });

  it('errors never contain a secret, or a URL that may contain one', () => {
    const read = () =>
      readConfig({ a: ['A', secret], b: ['B', url] }, { A: 'file:/does/not/exist/hunter2', B: 'hunter2' });
    expect(read)
      .to.throw(/A names a file that cannot be read[\s\S]*B must be an absolute URL/)
      .and.not.match(/hunter2/);
  });

  it('values between commas that are secret come from a mounted file, too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vds-config-'));
    const file = join(folder, 'callers');
    writeFileSync(file, 'one=1, two=2\n');
    const read = (value?: string) => readConfig({ a: ['A', secretList] }, value === undefined ? {} : { A: value }).a;
    expect(read(`file:${file}`)).to.deep.equal(['one=1', 'two=2']);
    rmSync(folder, { recursive: true });
    expect(read('one=1,two=2')).to.deep.equal(['one=1', 'two=2']);
    expect(read()).to.deep.equal([]);
    expect(() => read(`file:${file}`)).to.throw('A names a file that cannot be read');
  });

  it('the configuration is immutable', () => {
    const config = readConfig({ a: ['A', text] }, { A: 'x' }) as { a: string };
    expect(() => (config.a = 'y')).to.throw(TypeError);
  });
});
