/** Sound without speech, the same at every run: a speech engine must find no word in it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cached, ffmpeg } from './render.ts';

/** Sources of ffmpeg's lavfi. */
export const speechless: Readonly<Record<string, string>> = {
  silence: 'anullsrc=r=16000:cl=mono',
  hum: 'aevalsrc=0.3*sin(2*PI*50*t)+0.15*sin(2*PI*100*t)+0.1*sin(2*PI*150*t):s=16000',
  'white noise': 'anoisesrc=color=white:amplitude=0.3:seed=1:r=16000',
  'pink noise': 'anoisesrc=color=pink:amplitude=0.4:seed=1:r=16000',
  'brown noise': 'anoisesrc=color=brown:amplitude=0.4:seed=1:r=16000',
  'a crowd that rises and falls': 'anoisesrc=color=pink:amplitude=0.5:seed=3:r=16000,tremolo=f=3:d=0.8',
  'a roaring crowd':
    'anoisesrc=color=pink:amplitude=0.6:seed=5:r=16000,bandpass=f=700:w=900,tremolo=f=0.3:d=0.7,tremolo=f=5:d=0.3,volume=4',
  applause:
    'aevalsrc=(random(0)-0.5)*lt(mod(t*11+0.35*sin(t*7)\\,1)\\,0.14)+(random(1)-0.5)*lt(mod(t*7.3+0.2*sin(t*5)\\,1)\\,0.1)+(random(2)-0.5)*lt(mod(t*13.7\\,1)\\,0.12):s=16000,highpass=f=600',
  chords:
    'aevalsrc=0.15*(sin(2*PI*(261.6+65*floor(mod(t\\,4)))*t)+sin(2*PI*(329.6+82*floor(mod(t\\,4)))*t)+sin(2*PI*(392+98*floor(mod(t\\,4)))*t))*(0.4+0.6*abs(sin(PI*2*t))):s=16000',
  'a plucked melody':
    'aevalsrc=0.3*sin(2*PI*220*pow(2\\,floor(mod(t*3\\,8))/12)*t)*exp(-3*mod(t\\,0.333))+0.2*sin(2*PI*110*pow(2\\,floor(mod(t*1.5\\,5))/12)*t):s=16000',
  'strings and drums':
    'aevalsrc=0.12*(sin(2*PI*196*t+3*sin(2*PI*5*t))+0.6*sin(2*PI*392*t+4*sin(2*PI*5*t))+0.4*sin(2*PI*588*t+5*sin(2*PI*5*t))+0.3*sin(2*PI*784*t))*(0.5+0.5*sin(2*PI*0.2*t))+0.3*(random(0)-0.5)*exp(-12*mod(t\\,0.5)):s=16000',
};

/** Path of a WAV file (16 kHz, mono, 16 bit) of a source. */
export function renderSound(source: string, seconds: number): Promise<string> {
  return cached('sound', 'wav', { source, seconds }, (path) =>
    ffmpeg(['-f', 'lavfi', '-i', source, '-t', String(seconds), '-ac', '1', '-ar', '16000', path]),
  );
}

/** The same of a recording, repeated from its start up to this length. */
export function renderRecording(file: string, seconds: number): Promise<string> {
  return cached('recorded-sound', 'wav', { file, seconds }, (path) =>
    ffmpeg(['-stream_loop', '-1', '-i', file, '-t', String(seconds), '-vn', '-ac', '1', '-ar', '16000', path]),
  );
}

/** Recordings of music and nature in VDS_MEDIA_DIR; none if it is not set. */
export function speechlessRecordings(): string[] {
  const folder = process.env['VDS_MEDIA_DIR'];
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(big-buck-bunny-480p-30s|cc0-flower)\.mp4$/.test(name))
    .map((name) => join(folder, name));
}
