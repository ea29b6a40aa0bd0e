/** Names outside the field's vocabulary, which must not return. */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

/** The old name and its replacement. */
const replaced: Readonly<Record<string, string>> = {
  Ear: 'EventHandler',
  heardOnce: 'durableHandlers',
  heardByAll: 'broadcastHandlers',
  Doors: 'Deps',
  Workplace: 'Deps',
  Shop: 'Deps',
  Given: 'Deps',
  Verbs: 'Deps',
  bury: 'deadLetter',
  giveBack: 'release',
  failedTries: 'scheduleRetry',
  plantTombstone: 'addTombstone',
  lateLook: 'finalSweep',
  LastWord: 'StageResult',
  StageVoice: 'StagePublisher',
  firstContact: 'runStartupChecks',
  orAway: 'optional',
  unlessAbsent: 'orUndefinedIfNotFound',
  openMeters: 'create…Metrics',
  takeTurn: 'tryAcquire',
  Surroundings: 'DecisionContext',
  Prospect: 'ActionPreview',
  decideFact: 'decideStageEvent',
  alongPath: 'pivotTranslate',
  orForGood: 'failPermanently',
  lookAtPicture: 'analyzeFrames',
  hearer: 'consumer',
  hearers: 'consumers',
  Hearing: 'Delivery',
  meters: 'metrics',
  lastWords: 'terminalEvents',
  lookedAt: 'checkedAt',
  stretches: 'intervals',
};

export const fieldWords: Rule = {
  name: 'identifiers use the words of the field',
  breaches: (repository) =>
    filesThat(repository, /^(?!scripts\/architecture\/).*\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .words.filter(({ text: word }) => Object.hasOwn(replaced, word))
        .map(({ text: word, line }) => `${path}:${line} says ${word}; the field says ${replaced[word]}`),
    ),
};
