/** Names outside the field's vocabulary, which must not return. */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf, type Word } from '../source.ts';

/** The replacement of each old name. Those of a single word are sought only where it is certainly a name. */
const replaced: Readonly<Record<string, string>> = {
  alongPath: 'pivotTranslate',
  answerMemory: 'staleCache',
  answerStore: 'staleCache',
  Around: 'DecisionContext',
  asDeed: 'withAuditOptions',
  Asked: 'StageRequest',
  askingOf: 'requestFor',
  beginTitle: 'startEncode',
  breakRoom: 'runStryker',
  busLater: 'lazyBus',
  catalogEars: 'handlers',
  Chores: 'Deps',
  conductorEdits: 'catalogEdits',
  cutTitle: 'cutSource',
  decideFact: 'decideStageEvent',
  Desk: 'Deps',
  Doors: 'Deps',
  durableEars: 'durableHandlers',
  Ear: 'EventHandler',
  failedTries: 'scheduleRetry',
  firstContact: 'startupChecks',
  ForeseeChange: 'PreviewActions',
  foresight: 'preview',
  giveBack: 'release',
  Given: 'Deps',
  groupKey: 'videoId',
  Hall: 'Deps',
  hearer: 'consumer',
  hearers: 'consumers',
  Hearing: 'Delivery',
  heardByAll: 'broadcastHandlers',
  heardOnce: 'durableHandlers',
  hearPiece: 'transcribeChunk',
  hearQueue: 'transcriptionJobs',
  hidingPlaces: 'secretScan',
  House: 'Harness',
  houseEdits: 'deploymentEdits',
  houseRules: 'architectureRules',
  inWords: 'describeState',
  janitor: 'scheduler',
  keepFacts: 'protectEntities',
  lastTry: 'failPermanently',
  LastWord: 'StageResult',
  lastWords: 'terminalEvents',
  lateLook: 'finalSweep',
  layOut: 'buildCues',
  leapingClock: 'clockSkew',
  lookAhead: 'previewActions',
  lookAtPicture: 'analyzeFrames',
  lookedAt: 'checkedAt',
  lookQueue: 'analysisJobs',
  meteredEngines: 'instrumentedEngines',
  meters: 'metrics',
  nextAsking: 'nextRequest',
  openHouse: 'openHarness',
  openMeters: 'create…Metrics',
  orAway: 'optional',
  orForGood: 'failPermanently',
  outlivesItself: 'runsAfterEnd',
  Overtaken: 'VersionConflict',
  overdueSweep: 'moveOverdue',
  plantTombstone: 'addTombstone',
  Prospect: 'ActionPreview',
  purgeDesk: 'purge',
  RepeatStage: 'RerunStage',
  roomFiles: 'serviceFiles',
  Rounds: 'Deps',
  sayAgain: 'republish',
  SayPlace: 'Deps',
  Shop: 'Deps',
  smallHouse: 'stack',
  speechLikeness: 'voiceActivity',
  StageVoice: 'StagePublisher',
  startHouse: 'startStack',
  stillness: 'freezes',
  Stretch: 'Interval',
  stretches: 'intervals',
  Surroundings: 'DecisionContext',
  takeTurn: 'tryAcquire',
  Told: 'TrackState',
  toldOf: 'toHttpError',
  titlePlan: 'encodePlan',
  toldTracks: 'parseTracks',
  transitionCells: 'transition',
  unlessAbsent: 'orUndefinedIfNotFound',
  upheaval: 'disruptions',
  Verbs: 'Deps',
  verifyTitle: 'verifyOutput',
  watchedEars: 'broadcastHandlers',
  Workplace: 'Deps',
};

const isCompound = /[a-z][A-Z]/;
const all = Object.entries(replaced);
const words = new Map(all.filter(([old]) => !isCompound.test(old)));
/** In camel, kebab and snake case; none of these is an ordinary word in any text. */
const compounds = new Map(
  all.flatMap(([old, now]) => (isCompound.test(old) ? spellings(old).map((spelling) => [spelling, now] as const) : [])),
);

export const fieldWords: Rule = {
  name: 'names use the words of the field, in every language and in file names',
  breaches: (repository) =>
    filesThat(repository, /^(?!scripts\/architecture\/|pnpm-lock\.yaml$)/).flatMap(([path, text]) => [
      ...path.split(/[/.]/).flatMap((name) => breach(path, name, compounds.get(name) ?? words.get(name))),
      ...tokensOf(text).flatMap((name) => breach(`${path}:${name.line}`, name.text, compounds.get(name.text))),
      ...identifiersOf(path, text).flatMap((name) => breach(`${path}:${name.line}`, name.text, words.get(name.text))),
    ]),
};

function spellings(camel: string): string[] {
  const kebab = camel.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  return [camel, kebab, kebab.replaceAll('-', '_')];
}

/** Every word of a text, with its inner hyphens. */
function tokensOf(text: string): Word[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.match(/[\w-]+/g) ?? []).map((word) => ({ text: word, line: index + 1 })));
}

function identifiersOf(path: string, text: string): readonly Word[] {
  if (path.endsWith('.ts')) return sourceOf(path, text).words;
  return /\.(proto|sql|prisma)$/.test(path) ? tokensOf(text.replaceAll(/(--|\/\/).*/g, '')) : [];
}

function breach(place: string, name: string, now: string | undefined): string[] {
  return now === undefined ? [] : [`${place} says ${name}; the field says ${now}`];
}
