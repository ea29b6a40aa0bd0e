/** Captions inside the pictures: no playlist declares them, so that none may be left. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { h264, renderClip, smallClip } from '../generators/clip.ts';
import { captionUnit } from '../generators/closed-captions.ts';
import { addUnits } from '../generators/nal-units.ts';
import { playable, type Recipe } from './recipe.ts';

export const captionRecipes: readonly Recipe[] = [
  playable(
    'no captions are left inside the pictures: CEA-608 in H.264',
    'mp4',
    async ({ path, at, random }) => {
      const raw = at('raw.h264');
      const clip = smallClip(random, 3, { rate: '25' });
      await renderClip(raw, clip, h264('bframes=0', 'aud=1'), { mute: true, file: ['-f', 'h264'] });
      await writeFile(raw, addUnits(await readFile(raw), 'h264', captionUnit));
      await ffmpeg('-r', clip.rate, '-i', raw, '-c', 'copy', path);
    },
    { usual: true, expect: { sound: null } },
  ),
];
