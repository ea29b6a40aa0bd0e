/** Names outside the field's vocabulary that were replaced, and must not return. */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf, type Word } from '../source.ts';

/** Ordinary words too: sought only where one is certainly a name. */
const words = setOf(`
  Around Asked Chores Desk Doors Ear foresight Given Hall hearer hearers Hearing House janitor meters Overtaken
  Prospect Rounds Shop stillness Stretch stretches Surroundings Told upheaval Verbs Workplace
`);
/** In camel, kebab and snake case; none of these is an ordinary word in any text. */
const compounds = setOf(`
  alongPath answerMemory answerStore asDeed askingOf beginTitle breakRoom busLater catalogEars conductorEdits
  cutTitle decideFact durableEars failedTries firstContact ForeseeChange giveBack groupKey heardByAll heardOnce
  hearPiece hearQueue hidingPlaces houseEdits houseRules inWords keepFacts lastTry LastWord lastWords lateLook
  layOut leapingClock lookAhead lookAtPicture lookedAt lookQueue meteredEngines nextAsking openHouse openMeters
  orAway orForGood outlivesItself overdueSweep plantTombstone purgeDesk RepeatStage roomFiles sayAgain SayPlace
  smallHouse speechLikeness StageVoice startHouse takeTurn toldOf titlePlan toldTracks transitionCells
  unlessAbsent verifyTitle watchedEars
`);
const spelled = new Set([...compounds].flatMap(spellings));

export const fieldWords: Rule = {
  name: 'names use the words of the field, in every language and in file names',
  breaches: (repository) =>
    filesThat(repository, /^(?!scripts\/architecture\/|pnpm-lock\.yaml$)/).flatMap(([path, text]) => [
      ...path.split(/[/.]/).flatMap((name) => breach(path, name, spelled.has(name) || words.has(name))),
      ...tokensOf(text).flatMap((name) => breach(`${path}:${name.line}`, name.text, spelled.has(name.text))),
      ...identifiersOf(path, text).flatMap((name) => breach(`${path}:${name.line}`, name.text, words.has(name.text))),
    ]),
};

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

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

function breach(place: string, name: string, isReplaced: boolean): string[] {
  return isReplaced ? [`${place} says ${name}, which is not the field’s word`] : [];
}
