/** Pictures of two fields: coded apart, in packets of their own. */
import { writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { fieldCoded } from '../generators/field-coded.ts';
import type { Recipe } from './recipe.ts';

const fieldPictures = 30;

export const fieldRecipes: readonly Recipe[] = [paff('mkv', true), paff('mp4')];

/** A broadcast of field-coded pictures, remuxed: its packets hold one field each. */
function paff(file: string, usual?: true): Recipe {
  return {
    name: `two packets of one field each are one picture: H.264 in ${file}`,
    file,
    make: async ({ path, at }) => {
      await writeFile(at('fields.h264'), fieldCoded(fieldPictures));
      await ffmpeg('-framerate', '25', '-f', 'h264', '-i', at('fields.h264'), '-c', 'copy', at('broadcast.ts'));
      await ffmpeg('-fflags', '+genpts', '-i', at('broadcast.ts'), '-c', 'copy', path);
    },
    // What moves between two fields is half visible.
    expect: {
      frames: fieldPictures,
      seconds: fieldPictures / 25,
      sound: null,
      corners: null,
      matrix: 'bt601',
      least: { one: 0.5, mean: 0.6 },
    },
    ...(usual ? { usual } : {}),
  };
}
