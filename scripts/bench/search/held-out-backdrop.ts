/** What surrounds the videos of the held-out set: other words and languages; nothing of it but small words is asked for. */
import type { Backdrop } from './background.ts';

export const heldOutBackdrop: Backdrop = {
  clubs: 'Averton Brackwell Coldmoor Derrivale Elmstow Fenbury Glasden Holmrook Inverlea Kettlewick'.split(' '),
  kinds: ['recap', 'uncut', 'warm up', 'studio talk', 'dressing room', 'preview'],
  sports: 'lacrosse badminton surfing motocross skateboarding pickleball wrestling_pro mma cricket fencing'.split(' '),
  topics: ['squad', 'calendar', 'fans', 'manager', 'venue', 'forecast', 'strategy', 'academy', 'journey', 'archive'],
  summaries: [
    'All of it, as seen by those who were there.',
    'What the manager saw, and what the fans made of it.',
    'The squad before its longest journey.',
    'Fog rolled in, the fans sang.',
    'How a village keeps its club alive.',
  ],
  remarks: [
    { en: 'The stands are full this evening.', it: 'Gli spalti sono pieni stasera.', pt: 'As arquibancadas estão cheias esta noite.', nl: 'De tribunes zijn vanavond vol.', sv: 'Läktarna är fulla ikväll.', ko: '오늘 저녁 관중석이 가득 찼습니다.' },
    { en: 'The manager is pleased with the squad.', it: "L'allenatore è contento della squadra.", pt: 'O treinador está contente com o elenco.', nl: 'De trainer is blij met de ploeg.', sv: 'Tränaren är nöjd med laget.', ko: '감독은 선수단에 만족합니다.' },
    { en: 'They prepared for three days.', it: 'Si sono preparati per tre giorni.', pt: 'Eles se prepararam durante três dias.', nl: 'Ze hebben zich drie dagen voorbereid.', sv: 'De har förberett sig tre dagar.', ko: '그들은 사흘 동안 준비했습니다.' },
    { en: 'The sky is clearing up.', it: 'Il cielo si schiarisce.', pt: 'O céu está clareando.', nl: 'De lucht klaart op.', sv: 'Himlen klarnar.', ko: '하늘이 맑아지고 있습니다.' },
    { en: 'This venue is very old.', it: 'Questo impianto è molto antico.', pt: 'Este recinto é muito antigo.', nl: 'Dit complex is erg oud.', sv: 'Den här anläggningen är mycket gammal.', ko: '이 경기장은 매우 오래되었습니다.' },
    { en: 'Everybody is surprised.', it: 'Sono tutti sorpresi.', pt: 'Todos estão surpresos.', nl: 'Iedereen is verrast.', sv: 'Alla är förvånade.', ko: '모두가 놀랐습니다.' },
    { en: 'The calendar is crowded.', it: 'Il calendario è fitto.', pt: 'O calendário está apertado.', nl: 'De kalender zit vol.', sv: 'Kalendern är späckad.', ko: '일정이 빡빡합니다.' },
    { en: 'We hear from the captain in a moment.', it: 'Tra poco sentiamo il capitano.', pt: 'Daqui a pouco ouviremos o capitão.', nl: 'Straks horen we de aanvoerder.', sv: 'Snart hör vi kaptenen.', ko: '잠시 후 주장의 말을 듣겠습니다.' },
  ],
  languages: ['en', 'it', 'pt', 'nl', 'sv', 'ko'],
  boards: ['ON AIR', 'INTERVAL', 'GOOD EVENING', 'UP NEXT', '2ND QUARTER', 'TIMEOUT'],
}; // prettier-ignore
