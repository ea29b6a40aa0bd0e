/** Sources that take a second or two to process: without sound, and with a sentence that is spoken. */
import { makeSample } from '@vds/testkit/media/make-samples';
import { cached, ffmpeg } from '@vds/testkit/media/render';

const SENTENCE = 'The striker scores the winning goal.';
const GRAPH = `testsrc2=s=320x240:r=15:d=3,format=yuv420p[picture];flite=text='${SENTENCE}':voice=slt,apad=whole_dur=3[sound]`;
const ENCODING = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-g',
  '15',
  '-c:a',
  'aac',
  '-t',
  '3',
  '-movflags',
  '+faststart',
];

const NOISY = GRAPH.replace('r=15:d=3,', 'r=30:d=6,noise=alls=40:allf=t,').replace('whole_dur=3', 'whole_dur=6');
const LARGE = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '8M', '-maxrate', '8M', '-bufsize', '2M', '-g', '15'],
  ...['-c:a', 'aac', '-t', '6', '-movflags', '+faststart'],
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

/** Path of 6 s in which a sentence is spoken, of 6 MB: a source of several parts, whose head tells of pieces. */
export function largeClip(): Promise<string> {
  return cached('spoken-large', 'mp4', [NOISY, LARGE], (path) =>
    ffmpeg(['-filter_complex', NOISY, '-map', '[picture]', '-map', '[sound]', ...LARGE, path]),
  );
}
