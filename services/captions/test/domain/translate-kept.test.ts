import { assert } from 'chai';
import { AppError } from '@vds/shared/errors';
import { translateKept } from '../../src/domain/translation/translate-kept.ts';

const languages = { source: 'en', target: 'es' };

describe('captions: a whole translation', () => {
  it('sends a sentence as it is where the engine lost the name in it, and no other a second time', async () => {
    const calls: (readonly string[])[] = [];
    const translate = (texts: readonly string[]): Promise<string[]> => {
      calls.push(texts);
      return Promise.resolve(texts.map((text) => (text.startsWith('At') ? text.replace('Qzaq', 'Casa') : text)));
    };
    const kept = await translateKept(['At last Green scores.', 'Then Green rests.'], languages, translate);
    assert.deepEqual(calls, [['At last Qzaq scores.', 'Then Qzaq rests.'], ['At last Green scores.']]);
    assert.deepEqual(kept, [
      { text: 'At last Green scores.', problems: [] },
      { text: 'Then Green rests.', problems: [] },
    ]);
  });

  it('puts numbers back and says that they were lost', async () => {
    const kept = await translateKept(['It is 3-1.'], languages, () => Promise.resolve(['Es así.']));
    assert.equal(kept[0]?.text, 'Es así (3, 1).');
    assert.deepEqual(
      kept[0]?.problems.map(({ kind }) => kind),
      ['number', 'number'],
    );
  });

  it('takes no answer of another length', async () => {
    const short = async (): Promise<string[]> => ['Uno.'];
    let error: unknown;
    try {
      await translateKept(['One.', 'Two.'], languages, short);
    } catch (cause) {
      error = cause;
    }
    assert.equal(error instanceof AppError ? error.code : undefined, 'UNAVAILABLE');
  });
});
