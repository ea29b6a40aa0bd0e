/** Commentary in other languages than English, for measuring transcription; without digits. */

/** The written text, and espeak-ng's input for it if that differs. */
export type Line = { readonly text: string; readonly say?: string };

export const commentaries: Readonly<Record<string, readonly Line[]>> = {
  de: lines(
    'Der Torwart zeigt in der letzten Minute des Endspiels eine großartige Parade.',
    'Der Stürmer schießt das entscheidende Tor und das Publikum jubelt.',
    'Willkommen zurück zur zweiten Halbzeit dieses spannenden Spiels.',
    'Sie läuft an zwei Verteidigern vorbei und schießt aus großer Entfernung.',
    'Der Schiedsrichter pfeift und zeigt auf den Punkt.',
    'Was für ein schöner Pass des Kapitäns der Heimmannschaft!',
    'Der Trainer wechselt vor der Ecke noch einmal aus.',
    'Der Ball trifft den Pfosten und rollt von der Linie weg.',
    'Es regnet über dem Stadion und der Rasen ist nass.',
    'Vielen Dank fürs Zuschauen und gute Nacht aus der Arena.',
  ),
  es: lines(
    'El portero hace una parada brillante en el último minuto de la final.',
    'La delantera marca el gol de la victoria y el público aplaude.',
    'Bienvenidos de nuevo a la segunda parte de este partido tan emocionante.',
    'Ella deja atrás a dos defensas y dispara desde fuera del área.',
    'El árbitro pita y señala el punto de penalti.',
    '¡Qué pase tan bonito del capitán del equipo local!',
    'El entrenador hace otro cambio antes del saque de esquina.',
    'El balón da en el poste y se aleja de la línea.',
    'Está lloviendo sobre el estadio y la hierba está mojada.',
    'Gracias por acompañarnos y buenas noches desde el estadio.',
  ),
  fr: lines(
    'Le gardien fait un arrêt magnifique à la dernière minute de la finale.',
    'Le joueur marque le but de la victoire et le public applaudit.',
    'Bienvenue pour la deuxième partie de ce match passionnant.',
    'Elle passe devant deux défenseurs et tire de très loin.',
    "L'arbitre siffle et montre le point de penalty.",
    "Quelle belle passe du capitaine de l'équipe locale !",
    "L'entraîneur fait un autre changement avant le corner.",
    "Le ballon touche le poteau et s'éloigne de la ligne.",
    "Il pleut sur le stade et l'herbe est mouillée.",
    'Merci de nous avoir suivis et bonne nuit depuis le stade.',
  ),
  pt: lines(
    'O goleiro faz uma defesa brilhante no último minuto da final.',
    'O jogador marca o gol da vitória e o público aplaude.',
    'Bem-vindos de volta ao segundo tempo deste jogo emocionante.',
    'Ela passa por duas adversárias e chuta de fora da área.',
    'O árbitro apita e aponta para a marca do pênalti.',
    'Que passe bonito do capitão do time da casa!',
    'O treinador faz outra mudança antes do escanteio.',
    'A bola bate na trave e se afasta da linha.',
    'Está chovendo sobre o estádio e a grama está molhada.',
    'Obrigado por assistir e boa noite do estádio.',
  ),
  ja: [
    {
      text: 'キーパーが最後の一分で素晴らしいセーブを見せました。',
      say: 'きーぱーが さいごの いっぷんで すばらしい せーぶを みせました。',
    },
    {
      text: '選手が決勝のゴールを決めて、観客が喜んでいます。',
      say: 'せんしゅが けっしょうの ごーるを きめて、かんきゃくが よろこんでいます。',
    },
    { text: '面白い試合の後半が始まります。', say: 'おもしろい しあいの こうはんが はじまります。' },
    {
      text: '彼女は二人の相手を抜いて、遠くから打ちました。',
      say: 'かのじょわ ふたりの あいてを ぬいて、とおくから うちました。',
    },
    { text: 'ボールがポストに当たりました。', say: 'ぼーるが ぽすとに あたりました。' },
    { text: '今日は雨が降っています。', say: 'きょうわ あめが ふっています。' },
    { text: '皆さん、ありがとうございました。', say: 'みなさん、ありがとうございました。' },
  ],
};

function lines(...texts: readonly string[]): Line[] {
  return texts.map((text) => ({ text }));
}
