/** Words that say little in the languages that are asked in most: in a question with other words they hardly count. */

const lists: readonly string[] = [
  'a an and are as at be but by for from had has have he her his i if in into is it its my no not of on or our she so such that the their them then there these they this to was we were what when where which who why will with you your how',
  'al algo ante como con de del desde donde el en entre es esa ese esta este ha hay la las le les lo los mas me mi muy ni no nos o para pero por que se ser si sin sobre su sus te tu un una uno unos y ya',
  'au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui ma mais mes ne nous ou par pas pour qu que qui sa sans se ses son sur ta te tu un une vous y',
  'aber als am an auch auf aus bei bin bis das dass dem den der des die doch du ein eine einem einen einer er es für hat ich ihr im in ist ja kein mit nach nicht noch nur oder sein sich sie sind so und um von vor war was wenn wer wie wir zu zum zur',
  'a ao aos as com da das de do dos e em era essa esse esta este eu foi isso ja lhe mais mas me na nas no nos num numa o os ou para pela pelo por que se sem ser seu sua te um uma você',
  'a ai al alla anche c che chi ci come con da dal dalla dei del della delle di e ed è gli ha ho i il in io la le lo ma mi nel nella noi non o per più quella questo se si sono su sul tra un una uno',
];

const all: ReadonlySet<string> = new Set(lists.flatMap((list) => list.split(' ')));

export function isStopWord(word: string): boolean {
  return all.has(word.toLowerCase());
}
