import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import { errorOf } from './gateway.ts';
import { ingestFixture, smallest } from './ingest-fixture.ts';

describe('POST /v1/videos when it fails', () => {
  const { created, replies, send } = ingestFixture();

  it('a spent day budget gets 429 with the seconds until it resets', async () => {
    replies.create = () => ({ accepted: false, daily: { limit: 500, remaining: 0, resetsInSeconds: 3_600 } });
    const seen = await send(smallest);
    expect(seen.status).to.equal(429);
    expect(errorOf(seen).code).to.equal('daily_ingest_limit');
    expect(seen.headers.get('retry-after')).to.equal('3600');
    expect(seen.headers.get('x-ratelimit-daily-remaining')).to.equal('0');
    expect(seen.headers.get('x-ratelimit-remaining')).to.equal('59');
  });

  it('the message of a spent day names the publisher’s budget that is spent', async () => {
    const messages: string[] = [];
    for (const spentBudget of ['requests', 'media_minutes', 'fetched_bytes', 'of another version']) {
      replies.create = () => ({
        accepted: false,
        daily: { limit: 500, remaining: 0, resetsInSeconds: 60 },
        spentBudget,
      });
      const seen = await send(smallest);
      expect([seen.status, errorOf(seen).code]).to.deep.equal([429, 'daily_ingest_limit']);
      messages.push(errorOf(seen).message);
    }
    expect(messages).to.deep.equal([
      'The ingest budget of the day is spent.',
      'The budget of minutes of video of the day is spent.',
      'The budget of fetched bytes of the day is spent.',
      'The ingest budget of the day is spent.',
    ]);
  });

  it('an invalid request is rejected without the daily header when the daily count is unavailable', async () => {
    replies.remaining = () => {
      throw new AppError('INTERNAL', 'no');
    };
    const seen = await send({ title: 'x' });
    expect(seen.status).to.equal(400);
    expect(seen.headers.has('x-ratelimit-daily-remaining')).to.equal(false);
  });

  it('a lost reply of catalog is retried with the same id', async () => {
    let failures = 2;
    replies.create = () => {
      if (failures-- > 0) throw new AppError('UNAVAILABLE', 'going down');
      return { accepted: true, daily: { limit: 500, remaining: 497, resetsInSeconds: 60 } };
    };
    const seen = await send(smallest);
    expect(seen.status).to.equal(202);
    expect(created.length).to.equal(3);
    expect(new Set(created.map(({ id }) => `vid_${id}`))).to.deep.equal(new Set([(seen.body as { id: string }).id]));
  });

  it('creating a video is tried four times, and never again after catalog rejected it', async () => {
    replies.create = () => {
      throw new AppError('UNAVAILABLE', 'going down');
    };
    const seen = await send(smallest);
    expect([seen.status, created.length]).to.deep.equal([500, 4]);
    expect(seen.headers.has('x-ratelimit-daily-remaining')).to.equal(false);
    created.splice(0);
    replies.create = () => {
      throw new AppError('INTERNAL', 'column "x" does not exist');
    };
    const second = await send(smallest);
    expect([second.status, created.length]).to.deep.equal([500, 1]);
    expect(JSON.stringify(second.body)).not.to.include('column');
  });
});
