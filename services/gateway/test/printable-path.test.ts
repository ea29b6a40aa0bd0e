import { expect } from 'chai';
import { printablePath } from '../src/domain/printable-path.ts';

const id = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst';

describe('a path in the log', () => {
  it('a path of the interface is logged unchanged', () => {
    for (const path of [
      '/v1/videos',
      `/v1/videos/${id}`,
      `/v1/videos/${id.slice(4)}/archive`,
      `/v1/videos/${id}/republish`,
      '/openapi.json',
      '/docs',
    ])
      expect(printablePath(path)).to.equal(path);
  });

  it('unknown segments of a path are not logged', () => {
    expect(printablePath('/svc_live_key')).to.equal('/…');
    expect(printablePath('/v1/videos/svc_live_key/archive')).to.equal('/v1/videos/…/archive');
    expect(printablePath(`/v1/videos/${id}x/svc%5Flive`)).to.equal('/v1/videos/…/…');
    expect(printablePath('/V1/../%zz')).to.equal('/…/…/…');
  });

  it('the logged path is short however long the request’s is', () => {
    expect(printablePath('/'.repeat(16_000))).to.equal('/////');
    expect(printablePath(`/${'x'.repeat(16_000)}`)).to.equal('/…');
  });
});
