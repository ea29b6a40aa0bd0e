import { readFile } from 'node:fs/promises';
import { soundMeter } from '@vds/chassis/sound/features';
import { renderSound, speechless } from '@vds/testkit/media/speechless';
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { defaultTargets } from '../../src/domain/plan-tracks.ts';
import { findSounds } from '../../src/domain/sounds/find-sounds.ts';
import { withSounds } from '../../src/domain/sounds/sound-cues.ts';
import { soundName, type Sound } from '../../src/domain/sounds/sound-names.ts';

async function soundsIn(source: string): Promise<Sound[]> {
  const wav = await readFile(await renderSound(source, 8));
  const meter = soundMeter();
  for (let at = 44; at + 1 < wav.length; at += 2) meter.add(wav.readInt16LE(at));
  return findSounds(meter.end(), 60_000);
}

describe('sounds in captions', () => {
  it('chords and strings are music, silence and hum are none, constant noise is no crowd', async () => {
    for (const what of ['chords', 'strings and drums'])
      expect(
        (await soundsIn(speechless[what] ?? '')).map(({ kind }) => kind),
        what,
      ).to.include('music');
    for (const what of ['silence', 'white noise', 'pink noise'])
      expect(await soundsIn(speechless[what] ?? ''), what).to.deep.equal([]);
  });

  it('a crowd that grows loud is one, in the video’s time', async () => {
    const [sound, ...more] = await soundsIn(
      'anoisesrc=color=pink:amplitude=0.5:seed=3:r=16000,volume=0.02+0.98*gte(t\\,4):eval=frame',
    );
    expect(more).to.deep.equal([]);
    expect(sound).to.include({ kind: 'crowd', endMs: 68_000 });
    expect(sound?.startMs).to.be.within(64_000, 65_000);
  });

  it('every language of the default lists has a name for every sound', () => {
    for (const language of [...defaultTargets('apertium'), ...defaultTargets('libretranslate')])
      for (const kind of ['crowd', 'music'] as const) expect(soundName(kind, language), language).to.match(/^\[.+\]$/);
    expect(soundName('music', 'xx')).to.equal(undefined);
  });

  it('cues of speech stay as they are, and those of sounds keep clear of them and of each other', () => {
    const length = fc.integer({ min: 100, max: 30_000 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(length, length), { maxLength: 8 }),
        fc.array(fc.tuple(length, length)),
        (spoken, heard) => {
          const spans = (lengths: [number, number][]) => {
            let at = 0;
            return lengths.map(([gap, long]) => ({ startMs: (at += gap), endMs: (at += long) }));
          };
          const cues = spans(spoken).map((span) => ({ ...span, lines: ['Goal.'] }));
          const sounds = spans(heard).map((span) => ({ ...span, kind: 'crowd' as const }));
          const all = withSounds(cues, sounds, 'de', 500_000);
          const added = all.filter(({ lines }) => lines[0] === '[Publikumslärm]');
          expect(all.filter((cue) => !added.includes(cue))).to.deep.equal(cues);
          for (const [index, cue] of all.entries()) expect(cue.startMs).to.be.at.least(all[index - 1]?.endMs ?? 0);
          for (const [index, cue] of added.entries()) {
            expect(cue.endMs - cue.startMs).to.be.within(2_000, 4_000);
            if (index > 0) expect(cue.startMs - (added[index - 1]?.startMs ?? 0)).to.be.at.least(15_000);
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
