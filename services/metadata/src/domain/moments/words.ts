/** Words with which commentators call what happens: a small table per language. */

type Words = {
  /** It happened: a goal, a point that decides, a record. */
  readonly calls: readonly string[];
  /** It nearly happened, or was worth seeing. */
  readonly nearly: readonly string[];
  readonly replays: readonly string[];
  /** In front of what happened some other time, or did not happen. */
  readonly otherTime: readonly string[];
};

/** Phrases, between commas. */
function phrases(text: string): readonly string[] {
  return text.split(',').map((phrase) => phrase.trim());
}

function words(calls: string, nearly: string, replays: string, otherTime: string): Words {
  return {
    calls: phrases(calls),
    nearly: phrases(nearly),
    replays: phrases(replays),
    otherTime: phrases(otherTime),
  };
}

const table: Readonly<Record<string, Words>> = {
  en: words(
    'goal, scores, scored, it is in, its in, in the net, back of the net, finds the net, touchdown, home run, slam dunk, buzzer beater, knockout, knocked out, hole in one, world record, match point won, try scored, wicket, six runs, and he wins, and she wins, wins it, takes the lead, takes gold, equaliser, equalizer, three pointer',
    'what a save, brilliant save, great save, incredible, unbelievable, amazing, sensational, magnificent, off the post, hits the post, hits the bar, off the bar, crossbar, so close, penalty, red card, sent off, what a shot, what a strike, oh my, wow, ace, just wide, denied, saved',
    'replay, look at that again, see that again, see it again, another look, look again, slow motion, once more in',
    'last week, last year, last season, last month, this season, earlier, years ago, yesterday, tomorrow, next week, goal kick, goal difference, no goal, without a goal, goals per, average, career, goal line, looking for, need a goal, needs a goal, want a goal, ruled out, offside',
  ),
  es: words(
    'gol, golazo, marca, marcó, anota, anotó, al fondo de la red, adentro, para adentro, empata, canasta, triple, jonrón, nocaut, récord del mundo, gana el punto, touchdown',
    'qué parada, paradón, atajada, atajó, increíble, impresionante, espectacular, al palo, al poste, larguero, travesaño, penal, penalti, expulsado, tarjeta roja, qué disparo, uy, por poco, casi',
    'repetición, otra vez, veámoslo de nuevo, vemos de nuevo, cámara lenta',
    'la semana pasada, el año pasado, la temporada pasada, esta temporada, ayer, mañana, hace años, diferencia de goles, saque de meta, sin goles, busca el gol, buscan el gol, promedio, carrera, anulado, fuera de juego',
  ),
  pt: words(
    'gol, golo, golaço, marca, marcou, na rede, no fundo da rede, empata, empatou, cesta, nocaute, recorde mundial, touchdown',
    'que defesa, defendeu, grande defesa, incrível, impressionante, espetacular, na trave, no poste, travessão, pênalti, penálti, expulso, cartão vermelho, que chute, quase, por pouco',
    'replay, repetição, de novo na tela, vamos ver de novo, câmera lenta',
    'semana passada, ano passado, temporada passada, nesta temporada, ontem, amanhã, anos atrás, saldo de gols, tiro de meta, sem gols, procura o gol, média, carreira, anulado, impedimento',
  ),
  fr: words(
    'but, buuut, marque, au fond des filets, dans les filets, égalise, égalisation, panier, essai, record du monde, victoire de, touchdown, il y est',
    'quel arrêt, arrêt magnifique, incroyable, magnifique, extraordinaire, sur le poteau, poteau, barre transversale, la barre, pénalty, penalty, carton rouge, expulsé, quelle frappe, tout près, oh là là, passe à côté',
    'ralenti, revoir, on revoit, regardons à nouveau, encore une fois',
    'la semaine dernière, l année dernière, la saison dernière, cette saison, hier, demain, il y a des années, sans but, gardien de but, coup de pied de but, différence de buts, cherche le but, en moyenne, carrière, refusé, hors jeu',
  ),
  de: words(
    'tor, tooor, trifft, drin, im netz, ausgleich, führung, touchdown, weltrekord, knockout, matchball verwandelt, korb, sieg',
    'was für eine parade, glanzparade, unglaublich, wahnsinn, sensationell, an den pfosten, pfosten, an die latte, latte, elfmeter, rote karte, platzverweis, was für ein schuss, knapp vorbei, gehalten, beinahe, fast',
    'wiederholung, zeitlupe, noch einmal, nochmal',
    'letzte woche, letztes jahr, letzte saison, diese saison, in dieser saison, gestern, morgen, vor jahren, torwart, torlos, abstoß, tordifferenz, kein tor, sucht das tor, im schnitt, karriere, aberkannt, abseits',
  ),
  it: words(
    'gol, goal, rete, segna, ha segnato, in rete, in porta la mette, pareggio, pareggia, canestro, meta, record del mondo, touchdown',
    'che parata, grande parata, parata, incredibile, straordinario, spettacolare, palo, traversa, rigore, cartellino rosso, espulso, che tiro, di poco fuori, per poco, quasi',
    'replay, rivediamo, rivediamolo, al rallentatore, rallentatore, ancora una volta',
    'la settimana scorsa, l anno scorso, la scorsa stagione, questa stagione, in questa stagione, ieri, domani, anni fa, differenza reti, rimessa dal fondo, senza gol, cerca il gol, in media, carriera, annullato, fuorigioco',
  ),
  nl: words(
    'goal, doelpunt, scoort, hij zit, gelijkmaker, in het net, wereldrecord',
    'wat een redding, ongelooflijk, geweldig, op de paal, op de lat, strafschop, penalty, rode kaart, net naast',
    'herhaling, slow motion, nog een keer',
    'vorige week, vorig jaar, vorig seizoen, dit seizoen, gisteren, morgen, doelsaldo, doelman, gemiddeld, afgekeurd, buitenspel',
  ),
  pl: words(
    'gol, bramka, strzela gola, trafia, w siatce, wyrównuje, rekord świata',
    'co za obrona, niesamowite, niewiarygodne, słupek, poprzeczka, rzut karny, czerwona kartka, tuż obok',
    'powtórka, powtórce, zwolnione tempo, jeszcze raz',
    'w zeszłym tygodniu, w zeszłym roku, w tym sezonie, wczoraj, jutro, bramkarz, różnica bramek, średnio, nieuznany, spalony',
  ),
  sv: words(
    'mål, gör mål, i nät, kvitterar, kvittering, världsrekord',
    'vilken räddning, otroligt, fantastiskt, i stolpen, i ribban, straff, rött kort, strax utanför',
    'repris, slow motion, en gång till',
    'förra veckan, förra året, förra säsongen, den här säsongen, igår, imorgon, målvakt, målskillnad, i snitt, bortdömt, offside',
  ),
  tr: words(
    'gol, attı, ağlarda, skoru eşitledi, dünya rekoru',
    'ne kurtarış, inanılmaz, muhteşem, direkten, direkte, penaltı, kırmızı kart, az farkla',
    'tekrar, ağır çekim, bir daha',
    'geçen hafta, geçen yıl, geçen sezon, bu sezon, dün, yarın, averaj, ortalama, iptal, ofsayt',
  ),
  ru: words('гол, забивает, забил, в сетке, мировой рекорд', 'какой сейв, невероятно, штанга, перекладина, пенальти, красная карточка', 'повтор, замедленном', 'на прошлой неделе, в прошлом году, в этом сезоне, вчера, завтра, отменен, офсайд'), // prettier-ignore
  uk: words('гол, забиває, забив, у сітці, світовий рекорд', 'який сейв, неймовірно, стійка, поперечина, пенальті, червона картка', 'повтор, уповільнен', 'минулого тижня, торік, у цьому сезоні, вчора, завтра, скасовано, офсайд'), // prettier-ignore
  ar: words('هدف, جول, سجل, في الشباك', 'تصدي, رائع, القائم, العارضة, ركلة جزاء, بطاقة حمراء', 'الإعادة, إعادة', 'الأسبوع الماضي, الموسم الماضي, هذا الموسم, أمس, غدا, تسلل'), // prettier-ignore
  hi: words('गोल, छक्का, विकेट, आउट', 'शानदार, अविश्वसनीय, क्या बचाव, चौका', 'रीप्ले, फिर से देखते', 'पिछले हफ्ते, पिछले साल, इस सीज़न, कल'), // prettier-ignore
  id: words('gol, mencetak gol, masuk, rekor dunia', 'penyelamatan, luar biasa, tiang gawang, mistar, penalti, kartu merah, nyaris', 'tayangan ulang, gerak lambat', 'minggu lalu, tahun lalu, musim lalu, musim ini, kemarin, besok, dianulir, offside'), // prettier-ignore
  vi: words('vào, ghi bàn, bàn thắng, kỷ lục thế giới', 'cứu thua, không thể tin, cột dọc, xà ngang, phạt đền, thẻ đỏ', 'xem lại, quay chậm', 'tuần trước, năm ngoái, mùa trước, mùa này, hôm qua, ngày mai, việt vị'), // prettier-ignore
  th: words('ประตู, โกล, ทำประตู', 'เซฟ, สุดยอด, ชนเสา, ชนคาน, จุดโทษ, ใบแดง', 'ภาพช้า, ดูอีกครั้ง', 'ผู้รักษาประตู, สัปดาห์ที่แล้ว, ปีที่แล้ว, ฤดูกาลนี้, เมื่อวาน, ล้ำหน้า'), // prettier-ignore
  ja: words('ゴール, 決まった, 決めた, 入った, ホームラン, 世界記録', 'ナイスセーブ, すごい, 信じられない, ポスト, クロスバー, PK, レッドカード, 惜しい', 'リプレー, リプレイ, スロー, もう一度', 'ゴールキーパー, ゴールキック, 先週, 昨年, 昨季, 今季, 昨日, 明日, オフサイド'), // prettier-ignore
  ko: words('골, 득점, 들어갔습니다, 홈런, 세계 신기록', '선방, 대단합니다, 믿을 수 없, 골대, 크로스바, 페널티킥, 퇴장, 아깝', '다시 보, 리플레이, 느린 화면', '골키퍼, 골킥, 지난주, 작년, 지난 시즌, 이번 시즌, 어제, 내일, 오프사이드'), // prettier-ignore
  zh: words('进球, 球进了, 进了, 得分, 破门, 本垒打, 世界纪录', '扑救, 难以置信, 太精彩, 门柱, 横梁, 点球, 红牌, 差一点', '回放, 慢动作, 再看一', '守门员, 上周, 去年, 上赛季, 本赛季, 昨天, 明天, 越位'), // prettier-ignore
};

/** Languages without spaces between words: a phrase may begin anywhere. */
const unspaced = new Set(['ja', 'ko', 'zh', 'th']);

const NEARLY = 0.55;
/** What is said of another time, or of what did not happen. */
const OTHER_TIME = 0.2;

export type HeardWords = {
  /** 0 to 1. */
  readonly excitement: number;
  readonly isReplay: boolean;
  /** Where in the text the first of them begins. */
  readonly at: number | undefined;
};

/** Whether there is a table for the language (BCP 47). */
export function knowsLanguage(language: string): boolean {
  return Object.hasOwn(table, primaryOf(language));
}

function primaryOf(language: string): string {
  return language.split('-', 1)[0]?.toLowerCase() ?? '';
}

/** @param language BCP 47; without a table of its own, English words count */
export function hearWords(text: string, language: string): HeardWords {
  const primary = knowsLanguage(language) ? primaryOf(language) : 'en';
  const plain = plainOf(text);
  const known = table[primary];
  if (!known) return { excitement: 0, isReplay: false, at: undefined };
  const placesOf = (all: readonly string[]): number[] =>
    all.flatMap((phrase) => placesIn(plain, phrase, unspaced.has(primary)));
  const [calls, nearly, replays] = [placesOf(known.calls), placesOf(known.nearly), placesOf(known.replays)];
  const found = [...calls, ...nearly, ...replays];
  const at =
    found.length === 0 ? undefined : Math.round((text.length * Math.min(...found)) / Math.max(1, plain.length));
  if (replays.length > 0) return { excitement: 0, isReplay: true, at };
  const isOther = placesOf(known.otherTime).length > 0;
  const called = calls.length === 0 ? 0 : 0.8 + (calls.length > 1 || text.includes('!') ? 0.2 : 0);
  const excitement = Math.max(called, nearly.length === 0 ? 0 : NEARLY + (nearly.length > 1 ? 0.15 : 0));
  return { excitement: excitement * (isOther ? OTHER_TIME : 1), isReplay: false, at };
}

/** Lower case, words between single spaces, and letters that are drawn out (goooool) once. */
function plainOf(text: string): string {
  return ` ${text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/(\p{L})\1{2,}/gu, '$1')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;
}

function placesIn(plain: string, phrase: string, anywhere: boolean): number[] {
  const wanted = anywhere ? phrase.toLowerCase() : ` ${phrase} `;
  const places: number[] = [];
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) places.push(at);
  return places;
}
