/** Which channel a speech engine hears, of sound that ffmpeg speaks. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createChannelChooser, takeChannel } from '../../src/domain/speech/choose-channel.ts';
import { sentences, silence, spoken, tone } from '../sounds.ts';

const execute = promisify(execFile);
const RATE = 16_000;
const SECONDS = 5;

const chords =
  'aevalsrc=0.15*(sin(2*PI*(261.6+65*floor(mod(t\\,4)))*t)+sin(2*PI*(392+98*floor(mod(t\\,4)))*t))*(0.4+0.6*abs(sin(PI*2*t))):s=16000';
const noise = 'anoisesrc=color=pink:amplitude=0.4:seed=1';
const speech = spoken(sentences.save);
const same = 'anull';
const inverted = 'pan=stereo|c0=c0|c1=-1*c1';
/** The first input out of phase, and the second one in phase. */
const partlyInverted = 'pan=stereo|c0=0.6*c0+0.6*c1|c1=-0.6*c0+0.6*c1';

/** Of six channels, mixed as transcode makes the audio rendition of them. */
function surround(channels: string): string {
  return `pan=5.1|${channels},aresample=${RATE}:rematrix_maxval=1.7,aformat=sample_fmts=s16:channel_layouts=stereo`;
}

async function render(left: string, right: string, filter = same): Promise<Int16Array> {
  const own = `aresample=${RATE},aformat=channel_layouts=mono,apad=whole_dur=${SECONDS},atrim=0:${SECONDS}`;
  const graph = `[0]${own}[a];[1]${own}[b];[a][b]join=inputs=2:channel_layout=stereo,${filter}`;
  const inputs = ['-f', 'lavfi', '-i', left, '-f', 'lavfi', '-i', right, '-filter_complex', graph];
  const args = ['-nostdin', '-v', 'error', ...inputs, '-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'];
  const { stdout } = await execute('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 24 });
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
}

async function channelOf(left: string, right: string, filter = same): Promise<string> {
  const samples = await render(left, right, filter);
  const chooser = createChannelChooser(RATE);
  // Wherever pieces end.
  for (let from = 0; from < samples.length; from += 6_002) chooser.add(samples.subarray(from, from + 6_002));
  return chooser.result();
}

describe('createChannelChooser', function () {
  this.timeout(20_000);

  it('speech in both channels is heard as their mix, and so is what has no speech', async () => {
    expect(await channelOf(speech, speech)).to.equal('mix');
    expect(await channelOf(chords, chords)).to.equal('mix');
    expect(await channelOf(silence(1), silence(1))).to.equal('mix');
  });

  it('only the channel with speech is used if the other has music, noise or a tone', async () => {
    expect(await channelOf(speech, chords)).to.equal('left');
    expect(await channelOf(noise, speech)).to.equal('right');
    expect(await channelOf(tone(SECONDS), speech)).to.equal('right');
  });

  it('speech whose second channel is inverted is heard from one of them or as their difference', async () => {
    expect(await channelOf(speech, speech, inverted)).to.be.oneOf(['left', 'difference']);
  });

  it('speech that is out of phase is heard without the music or noise that is in phase', async () => {
    expect(await channelOf(speech, chords, partlyInverted)).to.equal('difference');
    expect(await channelOf(speech, noise, partlyInverted)).to.equal('difference');
  });

  it('speech that is in phase is never lost to rhythms that are out of phase', async () => {
    const drums = `aevalsrc=0.6*(random(0)-0.5)*gt(0.25\\,mod(t\\,0.5)):s=${RATE}`;
    const wide = 'pan=stereo|c0=0.5*c0+0.4*c1|c1=0.5*c0-0.4*c1';
    expect(await channelOf(speech, drums, wide)).to.be.oneOf(['mix', 'left', 'right']);
  });

  it('speech in the centre or in one surround channel is heard in the downmix beside music in front', async () => {
    const centre = surround('FL=c1|FR=c1|FC=c0|LFE=0*c0|BL=c1|BR=c1');
    expect(await channelOf(speech, chords, centre)).to.equal('mix');
    for (const music of ['c1', '0*c1']) {
      const back = surround(`FL=${music}|FR=${music}|FC=0*c0|LFE=0*c0|BL=c0|BR=0*c0`);
      expect(await channelOf(speech, chords, back)).to.be.oneOf(['mix', 'left']);
    }
    const outOfPhase = surround('FL=c0|FR=-1*c0|FC=0.5*c1|LFE=0*c0|BL=0*c0|BR=0*c0');
    expect(await channelOf(speech, chords, outOfPhase)).to.be.oneOf(['left', 'difference']);
  });

  it('two people, each in their own channel, are both heard', async () => {
    const second = `${silence(2.5)}[x];${spoken(sentences.goal, 'rms')},aresample=${RATE}[y];[x]aresample=${RATE}[z];[z][y]concat=n=2:v=0:a=1`;
    expect(await channelOf(`${speech},atrim=0:2.5`, second)).to.equal('mix');
  });
});

describe('takeChannel', () => {
  it('the mix is the mean of both channels, the difference half of what they do not share', () => {
    const samples = Int16Array.of(100, 200, -32_768, -32_768, 1, 0);
    expect([...takeChannel(samples, 'mix')]).to.deep.equal([150, -32_768, 1]);
    expect([...takeChannel(samples, 'left')]).to.deep.equal([100, -32_768, 1]);
    expect([...takeChannel(samples, 'right')]).to.deep.equal([200, -32_768, 0]);
    expect([...takeChannel(samples, 'difference')]).to.deep.equal([-50, 0, 1]);
  });
});
