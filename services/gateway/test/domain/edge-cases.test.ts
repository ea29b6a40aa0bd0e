/** Edge cases of credentials, ids and records. */
import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import { expect } from 'chai';
import { readCredentials } from '../../src/domain/credentials.ts';
import { uuidV7 } from '../../src/domain/video-id.ts';
import { videoRecord } from '../../src/domain/video-record.ts';

function video(more: Partial<VideoOut>): VideoOut {
  return {
    id: '01jd3m8q0c7e5b9x2k4n6p8rst',
    state: 'VIDEO_STATE_READY',
    title: 'x',
    tags: [],
    createdAt: '2026-01-02T03:04:05.678Z',
    sourceWarnings: [],
    captions: [],
    ...more,
  };
}

describe('edge cases of the gateway’s domain', () => {
  it('white space around credentials is ignored, and text before the scheme makes them malformed', () => {
    expect(readCredentials(['  Bearer a ']), 'padded').to.deep.equal({ kind: 'key', key: 'a' });
    expect(readCredentials(['xBearer a']), 'prefixed').to.deep.equal({ kind: 'malformed' });
  });

  it('a UUID contains every random bit but those of version and variant', () => {
    const hex = (byte: number): string => Buffer.from(uuidV7(0, new Uint8Array(10).fill(byte))).toString('hex');
    expect(hex(0xff)).to.equal('0000000000007fffbfffffffffffffff');
    expect(hex(0x00)).to.equal('00000000000070008000000000000000');
  });

  it('a contradictory video is an INTERNAL error', () => {
    for (const one of [video({ state: 'VIDEO_STATE_UNSPECIFIED' }), video({})])
      expect(() => videoRecord(one, 'https://play.example'))
        .to.throw(one.id)
        .with.property('code', 'INTERNAL');
  });

  it('an archived video without a playback id has no thumbnail of ours and no updated_at', () => {
    const record = videoRecord(video({ state: 'VIDEO_STATE_ARCHIVED' }), 'https://play.example');
    expect(record.thumbnail_url).to.equal(null);
    expect(record).not.to.have.property('updated_at');
  });
});
