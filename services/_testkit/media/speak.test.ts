import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { skipBecause } from '../skip.ts';
import { speak, voiceOf } from './speak.ts';

/** Seconds of 16 kHz, mono, 16 bit, and the loudest sample of full scale. */
function soundOf(path: string): { readonly seconds: number; readonly loudest: number } {
  const bytes = readFileSync(path);
  expect(bytes.subarray(8, 16).toString('latin1')).to.equal('WAVEfmt ');
  expect(bytes.readUInt32LE(24)).to.equal(16_000);
  const samples = Int16Array.from({ length: (bytes.length - 44) / 2 }, (_none, at) => bytes.readInt16LE(44 + 2 * at));
  return { seconds: samples.length / 16_000, loudest: samples.reduce((most, one) => Math.max(most, one), 0) / 32_768 };
}

describe('synthesised speech', () => {
  for (const [language, text] of [
    ['en', "What a save! He's the best."],
    ['de', 'Was für eine Parade des Torwarts!'],
    ['pt', '-1 grau: que defesa do guarda-redes!'],
  ] as const) {
    it(`a sentence in the language ${language} is spoken into a WAV file for speech engines`, async function () {
      if (voiceOf(language) === null) return skipBecause(this, 'espeak-ng is not installed');
      const { seconds, loudest } = soundOf((await speak(language, text)) ?? '');
      expect(seconds).to.be.within(1, 5);
      expect(loudest).to.be.above(0.1);
    }).timeout(20_000);
  }
});
