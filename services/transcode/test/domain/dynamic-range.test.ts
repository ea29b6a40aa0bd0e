/** What is read from the metadata of HDR and Dolby Vision. */
import { expect } from 'chai';
import { incompatibleProfile, withBaseLayer, type DolbyVision } from '../../src/domain/source/dolby-vision.ts';
import { peakLight, readPeakLight } from '../../src/domain/source/peak-light.ts';
import { probeOf } from './probe-of.ts';

describe('Dolby Vision', () => {
  const streams: readonly (readonly [codec: string, DolbyVision | undefined, profile: string | undefined])[] = [
    ['hevc', undefined, undefined],
    ['hevc', { profile: 5, compatibility: 0 }, '5'],
    ['h264', { profile: 5, compatibility: 0 }, undefined],
    ['h264', { profile: 1, compatibility: 0 }, '1'],
    ['hevc', { profile: 7, compatibility: 6 }, undefined],
    ['hevc', { profile: 8, compatibility: 0 }, undefined],
    ['hevc', { profile: 8, compatibility: 1 }, undefined],
    ['hevc', { profile: 20, compatibility: 0 }, '20.0'],
    ['av1', { profile: 10, compatibility: 0 }, '10.0'],
    ['unknown', { profile: 10, compatibility: 0 }, '10.0'],
    ['av1', { profile: 10, compatibility: 4 }, undefined],
  ];
  for (const [codec, dolbyVision, profile] of streams) {
    const record = dolbyVision ? `profile ${dolbyVision.profile}.${dolbyVision.compatibility}` : 'no profile';
    const outcome = profile === undefined ? 'is shown by every decoder' : `is shown only by Dolby Vision players`;
    it(`${codec} of ${record} ${outcome}`, () =>
      expect(incompatibleProfile(probeOf({ codec, dolbyVision }).video)).to.equal(profile));
  }

  it('a base layer that declares no transfer function has the one that the record says', () => {
    const transferOf = (compatibility: number, transfer: string): string =>
      withBaseLayer(probeOf({ transfer, dolbyVision: { profile: 8, compatibility } }).video).transfer;
    expect(transferOf(1, '')).to.equal('smpte2084');
    expect(transferOf(6, 'unknown')).to.equal('smpte2084');
    expect(transferOf(4, 'bt2020-10')).to.equal('arib-std-b67');
    expect(transferOf(1, 'bt2020-10')).to.equal('bt2020-10');
    expect(transferOf(1, 'arib-std-b67')).to.equal('arib-std-b67');
    expect(transferOf(2, '')).to.equal('');
  });
});

describe('peak light', () => {
  it('the brightest pixel comes before the mastering display, and zero is not a declaration', () => {
    const display = { max_luminance: '40000000/10000' };
    expect(readPeakLight([display, { max_content: 900 }])).to.equal(900);
    expect(readPeakLight([display, { max_content: 0 }])).to.equal(4_000);
    expect(readPeakLight([{ max_luminance: '0/10000' }, {}])).to.equal(undefined);
    expect(readPeakLight([{ max_luminance: '4000/0' }])).to.equal(undefined);
  });

  it('pictures are tone-mapped from 1,000 cd/m² where nothing is declared, and never from less than white', () => {
    expect(peakLight(undefined)).to.equal(1_000);
    expect(peakLight(4_000)).to.equal(4_000);
    expect(peakLight(1)).to.equal(203);
    expect(peakLight(4e9)).to.equal(10_000);
  });
});
