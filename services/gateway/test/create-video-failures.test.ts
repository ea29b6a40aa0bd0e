import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import { errorOf } from './gateway.ts';
import { ingestFixture, smallest } from './ingest-fixture.ts';

describe('POST /v1/videos when it cannot be done', () => {
  const { created, answers, send } = ingestFixture();

  it('says when the day’s budget is spent', async () => {
    answers.create = () => ({ accepted: false, daily: { limit: 500, remaining: 0, resetsInSeconds: 3_600 } });
    const seen = await send(smallest);
    expect(seen.status).to.equal(429);
    expect(errorOf(seen).code).to.equal('daily_ingest_limit');
    expect(seen.headers.get('retry-after')).to.equal('3600');
    expect(seen.headers.get('x-ratelimit-daily-remaining')).to.equal('0');
    expect(seen.headers.get('x-ratelimit-remaining')).to.equal('59');
  });

  it('refuses a bad request also when the daily count is not to be had, then without that header', async () => {
    answers.remaining = () => {
      throw new AppError('INTERNAL', 'no');
    };
    const seen = await send({ title: 'x' });
    expect(seen.status).to.equal(400);
    expect(seen.headers.has('x-ratelimit-daily-remaining')).to.equal(false);
  });

  it('sends the same id again when the answer of catalog is lost', async () => {
    let failures = 2;
    answers.create = () => {
      if (failures-- > 0) throw new AppError('UNAVAILABLE', 'going down');
      return { accepted: true, daily: { limit: 500, remaining: 497, resetsInSeconds: 60 } };
    };
    const seen = await send(smallest);
    expect(seen.status).to.equal(202);
    expect(created.length).to.equal(3);
    expect(new Set(created.map(({ id }) => `vid_${id}`))).to.deep.equal(new Set([(seen.body as { id: string }).id]));
  });

  it('gives up after three times, and never repeats what catalog refused', async () => {
    answers.create = () => {
      throw new AppError('UNAVAILABLE', 'going down');
    };
    const seen = await send(smallest);
    expect([seen.status, created.length]).to.deep.equal([500, 3]);
    expect(seen.headers.has('x-ratelimit-daily-remaining')).to.equal(false);
    created.splice(0);
    answers.create = () => {
      throw new AppError('INTERNAL', 'column "x" does not exist');
    };
    const second = await send(smallest);
    expect([second.status, created.length]).to.deep.equal([500, 1]);
    expect(JSON.stringify(second.body)).not.to.include('column');
  });
});
