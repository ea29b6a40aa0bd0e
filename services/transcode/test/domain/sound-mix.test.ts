import { expect } from 'chai';
import { wholeSound } from '../../src/domain/plan/sound-chunks.ts';
import { decodeSoundArguments, encodeSoundArguments } from '../../src/domain/plan/sound-arguments.ts';
import { mixOf } from '../../src/domain/plan/sound-mix.ts';
import type { AudioStream } from '../../src/domain/source/probe.ts';
import { makeTimeline } from '../../src/domain/source/timeline.ts';
import { probeOf, scanOf, sound } from './probe-of.ts';

const timeline = makeTimeline(probeOf(), scanOf({ times: Float64Array.of(0, 1), keys: Float64Array.of(0), end: 2 }));

function panOf(channels: number, layout: string): string {
  return mixOf({ ...sound, channels, layout }).filters.at(-1) ?? '';
}

function filtersOf(audio: AudioStream): string {
  return decodeSoundArguments(audio, timeline, 'mov', {}).join(' ');
}

describe('mixOf', () => {
  it('layouts of a standard are mixed as it says, whatever the number of their channels', () => {
    for (const [channels, layout] of [
      [1, 'mono'],
      [2, 'stereo'],
      [6, '5.1(side)'],
      [8, '7.1'],
    ] as const)
      expect(panOf(channels, layout)).to.equal('');
  });

  it('every channel of a layout that no standard mixes is heard', () => {
    for (const [channels, layout] of [
      [10, ''],
      [16, 'hexadecagonal'],
      [24, '22.2'],
      [3, '3 channels (FL+FC+TFL)'],
      [1, '1 channels (FL)'],
    ] as const) {
      const pan = panOf(channels, layout);
      for (let channel = 0; channel < channels; channel++) expect(pan).to.match(new RegExp(`\\*c${channel}\\b`));
    }
  });

  it('up to eight channels without a layout count as the usual one, and none is left out', () => {
    expect(mixOf({ ...sound, channels: 6, layout: '' })).to.deep.include({ filters: [] });
    expect(mixOf({ ...sound, channels: 6, layout: '' }).options).to.include('lfe_mix_level');
  });

  it('a sound field becomes what is heard from the left and from the right, beside the stereo that does not turn', () => {
    expect(panOf(4, 'ambisonic 1')).to.equal('pan=stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0-0.5*c1');
    expect(panOf(11, 'ambisonic 2+stereo')).to.equal('pan=stereo|c0=0.5*c0+0.5*c1+c9|c1=0.5*c0-0.5*c1+c10');
  });

  it('a mix leaves the lossy encoder more room below full scale than sound that needs none', () => {
    const [mixed, plain] = [6, 2].map((channels) => mixOf({ ...sound, channels, layout: '' }).limit);
    expect(mixed).to.be.below(plain ?? 0);
    expect(encodeSoundArguments(sound, timeline, wholeSound(timeline)[0]!).join(' ')).to.include(
      `alimiter=limit=${plain}:`,
    );
  });
});

describe('decodeSoundArguments', () => {
  it('decoded sound keeps its rate, unless that is too low for music', () => {
    for (const [from, to] of [
      [8_000, 48_000],
      [22_050, 48_000],
      [32_000, 32_000],
      [44_100, 44_100],
      [96_000, 96_000],
    ] as const)
      expect(filtersOf({ ...sound, sampleRate: from })).to.include(`sample_rates=${to}:`);
  });
});
