/** Translations of the fake engine: deterministic, and in the target's own script where layout depends on it. */
import { createHash } from 'node:crypto';

const lines: Readonly<Record<string, readonly string[]>> = {
  ar: [
    'حارس المرمى يقوم بتصدٍّ رائع في الدقيقة الأخيرة من مباراة البطولة.',
    'سجّل المهاجم هدف الفوز، والجمهور يهتف بحماس!',
    'قال المدرب إن الفريق لعب جيدًا جدًّا في الشوط الثاني.',
  ],
  he: [
    'השוער מבצע הצלה מבריקה בדקה האחרונה של משחק האליפות.',
    'החלוץ כובש את שער הניצחון, והקהל יוצא מגדרו!',
    'המאמן אמר שהקבוצה שיחקה טוב מאוד במחצית השנייה.',
  ],
  ja: [
    'ゴールキーパーが決勝戦の最後の1分で見事なセーブを見せました。',
    'ストライカーが決勝ゴールを決め、観客は大歓声に包まれています。',
    '監督は、チームが後半とても良いプレーをしたと語りました。',
  ],
  zh: [
    '守门员在冠军赛的最后一分钟做出了精彩的扑救。',
    '前锋打进了制胜一球，全场观众欢呼雀跃！',
    '教练说球队在下半场踢得非常好。',
  ],
  ko: ['골키퍼가 결승전 마지막 순간에 멋진 선방을 펼칩니다.', '공격수가 결승골을 넣자 관중이 열광합니다!'],
  hi: ['गोलकीपर ने फ़ाइनल के आख़िरी मिनट में शानदार बचाव किया।', 'स्ट्राइकर ने विजयी गोल दागा और दर्शक झूम उठे!'],
  th: ['ผู้รักษาประตูเซฟได้อย่างยอดเยี่ยมในนาทีสุดท้ายของนัดชิงชนะเลิศ', 'กองหน้ายิงประตูชัย และฝูงชนก็โห่ร้องด้วยความดีใจ'],
};

/** Codes as LibreTranslate's newer versions name them: the default list of the design. */
export const defaultLanguages: readonly string[] =
  'en es pt pt-BR fr de it nl pl sv tr ru uk ar he hi id vi th ja ko zh-Hans'.split(' ');

/** `[es] sentence`, or a sentence in the target's own script with the numbers of the source. */
export function translateLine(sentence: string, target: string): string {
  const choice = lines[target.split('-')[0] ?? ''];
  if (!choice) return `[${target}] ${sentence}`;
  const first = createHash('sha256').update(sentence).digest()[0] ?? 0;
  return `${choice[first % choice.length]} ${numbersOf(sentence)}`.trim();
}

/** Numbers survive a translation. */
function numbersOf(sentence: string): string {
  return (sentence.match(/\d+(?:[.,:-]\d+)*/g) ?? []).join(' ');
}
