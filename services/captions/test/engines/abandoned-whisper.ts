/**
 * A worker to be killed: opens the engine with the options in its first argument; transcribes the file in its second one, or
 * leaves the engine idle where there is none.
 */
import { createLogger } from '@vds/chassis/telemetry/log';
import type { PythonModelOptions } from '../../src/outbound/engines/python-model.ts';
import { openWhisper } from '../../src/outbound/engines/whisper.ts';

const [options = '', wavPath] = process.argv.slice(2);
const engine = await openWhisper({
  ...(JSON.parse(options) as Omit<PythonModelOptions, 'log'>),
  log: createLogger('captions', 'silent'),
});
if (wavPath === undefined) process.stdout.write('idle\n');
else {
  const input = { wavPath, language: 'en', durationMs: 600_000, offsetMs: 0 };
  await engine.transcribe(input, new AbortController().signal, () => process.stdout.write('busy\n'));
}
