import { expect } from 'chai';
import { AppError, notFound } from '@vds/chassis/errors';
import { until } from '@vds/testkit/until';
import { createAttribute } from '../src/outbound/attribute.ts';

describe('whose video a report is about', () => {
  it('what is known stays in use while catalog and auth cannot be asked', async () => {
    let isAway = false;
    let title = 'A match';
    let asked = 0;
    const answer = async <T>(value: T): Promise<T> => {
      asked += 1;
      if (isAway) throw new AppError('UNAVAILABLE', 'gone');
      return value;
    };
    const attribute = createAttribute(
      {
        video: (videoId) => {
          if (videoId === 'never-was') throw notFound('the video');
          return answer({ publisherId: 'pub_a', title, version: asked, durationMs: 60_000 });
        },
        publisher: () => answer({ organizationId: 'org_a', viewerKey: Buffer.alloc(32, 'a') }),
      },
      { freshMs: 20, awayMs: 200 },
    );
    const known = await attribute('a-1');
    expect(known).to.include({ organizationId: 'org_a', title: 'A match', durationMs: 60_000 });
    expect(known?.hash('', '')).to.equal(null);
    expect(known?.hash('ann', 'tablet'))
      .to.equal(known?.hash('ann', ''))
      .and.match(/^[\w-]{27}$/);
    expect(known?.hash('', 'tablet')).to.match(/^device-[\w-]{27}$/);
    isAway = true;
    const before = asked;
    const stale = () => attribute('a-1').then(() => asked > before);
    await until(stale, { what: 'it is no longer fresh', everyMs: 5 });
    for (let n = 0; n < 50; n += 1) {
      const found = await attribute('a-1');
      expect(found).to.include({ organizationId: 'org_a', publisherId: 'pub_a', title: 'A match', durationMs: 60_000 });
      expect(found?.hash('ann', '')).to.equal(known?.hash('ann', ''));
    }
    // Nobody waits for each report.
    expect(asked - before).to.be.at.most(4);
    expect(
      await attribute('new').then(
        () => 'known',
        (error: AppError) => error.code,
      ),
    ).to.equal('UNAVAILABLE');
    expect(await attribute('never-was')).to.equal(undefined);
    [isAway, title] = [false, 'A new title'];
    const again = () => attribute('a-1').then((found) => found?.title === title);
    await until(again, { what: 'it is asked again', everyMs: 20 });
  });
});
