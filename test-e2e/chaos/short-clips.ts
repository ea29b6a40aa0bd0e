/** Two sources that take a second or two to process: one without sound, and one in which a sentence is spoken. */
import { makeSample } from '@vds/testkit/media/make-samples';
import { cached, ffmpeg } from '@vds/testkit/media/render';

const SENTENCE = 'The striker scores the winning goal.';
const GRAPH = `testsrc2=s=320x240:r=15:d=3,format=yuv420p[picture];flite=text='${SENTENCE}':voice=slt,apad=whole_dur=3[sound]`;
const ENCODING = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  // Large enough for four parts of a source.
  '-crf',
  '8',
  '-g',
  '15',
  '-c:a',
  'aac',
  '-t',
  '3',
  '-movflags',
  '+faststart',
];

/** Path of 2 s without sound. */
export function silentClip(): Promise<string> {
  const name = 'mp4-h264-320x240-15fps-silent';
  return makeSample({
    name,
    container: 'mp4',
    codec: 'h264',
    audio: null,
    width: 320,
    height: 240,
    fps: 15,
    frames: 30,
    seconds: 2,
  });
}

/** Path of 3 s in which a sentence is spoken. */
export function spokenClip(): Promise<string> {
  return cached('spoken-sentence', 'mp4', [GRAPH, ENCODING], (path) =>
    ffmpeg(['-filter_complex', GRAPH, '-map', '[picture]', '-map', '[sound]', ...ENCODING, path]),
  );
}
