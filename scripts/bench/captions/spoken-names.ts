/** Two hundred names of athletes, clubs and places in eight languages, and the sentences in which they are spoken. */

type Spoken = { readonly names: readonly string[]; readonly sentences: readonly string[] };

/** `*` is the name's place. English ones have plain letters, which the voice needs. */
export const spokenNames: Readonly<Record<string, Spoken>> = {
  en: spoken(
    'Giannis Antetokounmpo|Nikola Jokic|Shai Gilgeous|Novak Djokovic|Iga Swiatek|Aryna Sabalenka|Xherdan Shaqiri|Bukayo Saka|' +
      'Erling Haaland|Kevin De Bruyne|Ederson Moraes|Virgil van Dijk|Ousmane Dembele|Hirving Lozano|Sadio Mane|Leicester|' +
      'Tottenham|Wolverhampton|Cooper Kupp|Tua Tagovailoa|Katie Ledecky|Eliud Kipchoge|Simone Biles|Shohei Ohtani|Tadej Pogacar',
    'Here comes * with the ball on the left side.|The coach is very happy with * this evening.|' +
      'Nobody can stop * in the second half.|What a beautiful moment for * and the fans.|We spoke with * before the game.',
  ),
  de: spoken(
    'Florian Wirtz|Jamal Musiala|Leroy Sané|Antonio Rüdiger|Joshua Kimmich|Kai Havertz|Niclas Füllkrug|Serge Gnabry|' +
      'Borussia Mönchengladbach|Eintracht Frankfurt|Bayer Leverkusen|Hoffenheim|Alexandra Popp|Lena Oberdorf|Giulia Gwinn|' +
      'Manuel Neuer|Oliver Baumann|Aleksandar Pavlović|Deniz Undav|Nico Schlotterbeck|Waldemar Anton|Thilo Kehrer|' +
      'Heidenheim|Angelique Kerber|Malaika Mihambo',
    'Der Ball kommt jetzt zu * auf der linken Seite.|Der Trainer ist heute mit * sehr zufrieden.|' +
      'In der zweiten Halbzeit spielt * noch besser.|Das war ein schöner Abend für * und das Publikum.|Wir haben vor dem Spiel mit * gesprochen.',
  ),
  es: spoken(
    'Lamine Yamal|Nico Williams|Mikel Oyarzabal|Aymeric Laporte|Robin Le Normand|Álvaro Morata|Dani Carvajal|Unai Simón|' +
      'Alexia Putellas|Aitana Bonmatí|Salma Paralluelo|Jenni Hermoso|Mapi León|Athletic Bilbao|Real Sociedad|Rayo Vallecano|' +
      'Osasuna|Getafe|Carlos Alcaraz|Paula Badosa|Pau Gasol|Ricky Rubio|Fermín López|Martín Zubimendi|Mikel Merino',
    'El balón llega a * por la banda izquierda.|El entrenador está muy contento con * esta noche.|' +
      'Nadie puede parar a * en la segunda parte.|Qué momento tan bonito para * y el público.|Hablamos con * antes del partido.',
  ),
  fr: spoken(
    'Kylian Mbappé|Antoine Griezmann|Aurélien Tchouaméni|Eduardo Camavinga|Theo Hernandez|Dayot Upamecano|William Saliba|' +
      'Mike Maignan|Bradley Barcola|Wendie Renard|Kadidiatou Diani|Eugénie Le Sommer|Antoine Dupont|Romain Ntamack|' +
      'Teddy Riner|Léon Marchand|Victor Wembanyama|Rudy Gobert|Olympique Lyonnais|Montpellier|Clermont|Caroline Garcia|' +
      'Gaël Monfils|Julian Alaphilippe|Thibaut Pinot',
    "Le ballon arrive maintenant sur * à gauche.|L'entraîneur est très content de * ce soir.|" +
      'Personne ne peut arrêter * en deuxième période.|Quel beau moment pour * et le public.|Nous avons parlé avec * avant le match.',
  ),
  it: spoken(
    'Gianluigi Donnarumma|Federico Chiesa|Nicolò Barella|Alessandro Bastoni|Sandro Tonali|Gianluca Scamacca|Mateo Retegui|' +
      'Riccardo Calafiori|Davide Frattesi|Giacomo Raspadori|Lautaro Martínez|Khvicha Kvaratskhelia|Romelu Lukaku|Atalanta|' +
      'Sassuolo|Sampdoria|Jannik Sinner|Matteo Berrettini|Jasmine Paolini|Federica Pellegrini|Marcell Jacobs|Gimbo Tamberi|' +
      'Sofia Goggia|Paola Egonu|Filippo Ganna',
    'Il pallone arriva adesso a * sulla sinistra.|Questa sera il tecnico è contento di * e della squadra.|' +
      'Nel secondo tempo nessuno ferma * in campo.|Che bel momento per * e per il pubblico.|Abbiamo parlato con * prima della partita.',
  ),
  pt: spoken(
    'Vinícius Júnior|Rodrygo Goes|Endrick|Bruno Guimarães|Lucas Paquetá|Gabriel Martinelli|Raphinha|Marquinhos|Alisson Becker|' +
      'Éder Militão|Debinha|Rayssa Leal|Rebeca Andrade|Gabriel Medina|Ítalo Ferreira|Palmeiras|Corinthians|Fluminense|' +
      'Botafogo|Grêmio|Cruzeiro|Bernardo Silva|Rúben Dias|Diogo Jota|João Cancelo',
    'A bola chega agora a * pelo lado esquerdo.|O treinador está muito contente com * esta noite.|' +
      'Ninguém consegue parar * no segundo tempo.|Que momento bonito para * e o público.|Nós falamos com * antes do jogo.',
  ),
  nl: spoken(
    'Cody Gakpo|Memphis Depay|Denzel Dumfries|Frenkie de Jong|Xavi Simons|Nathan Aké|Wout Weghorst|Bart Verbruggen|' +
      'Vivianne Miedema|Lieke Martens|Daniëlle van de Donk|Sherida Spitse|Max Verstappen|Mathieu van der Poel|Sifan Hassan|' +
      'Femke Bol|Jutta Leerdam|Kjeld Nuis|Feyenoord|Heerenveen|Vitesse|Heracles|Botic van de Zandschulp|Tallon Griekspoor|Kiki Bertens',
    'De bal komt nu bij * aan de linkerkant.|De trainer is vanavond heel blij met * in het veld.|' +
      'In de tweede helft speelt * nog beter.|Wat een mooi moment voor * en het publiek.|Wij spraken voor de wedstrijd met * in de hal.',
  ),
  pl: spoken(
    'Robert Lewandowski|Wojciech Szczęsny|Piotr Zieliński|Arkadiusz Milik|Krzysztof Piątek|Jakub Kiwior|Nicola Zalewski|' +
      'Karol Świderski|Ewa Pajor|Iga Świątek|Hubert Hurkacz|Magda Linette|Kamil Stoch|Dawid Kubacki|Bartosz Zmarzlik|' +
      'Wilfredo León|Bartosz Kurek|Legia|Lech Poznań|Raków|Jagiellonia|Pogoń|Anita Włodarczyk|Natalia Kaczmarek|Piotr Lisek',
    'Teraz przy piłce jest * po lewej stronie.|Trener mówi, że * gra dzisiaj bardzo dobrze.|' +
      'W drugiej połowie * jest jeszcze lepszy.|Dla kibiców * to wielka radość.|Przed meczem rozmawiał z nami * i cała drużyna.',
  ),
};

/** Whom nobody speaks of here. */
export const strangers: readonly string[] = (
  'Dorothea Quillfeather|Marek Ostrowidz|Belinda Achterberg|Yusuf Karadeniz|Tindra Hallgrimsson|Ottavio Brancaleone|' +
  'Perpetua Nwachukwu|Caspian Thorncastle|Ludmila Vrabcova|Ignatius Pemberton|Zebulon Hartwick|Mireille Castagnet|' +
  'Fenwick|Dunmore|Ravensbourne|Kesteven|Oriana Falconieri|Hamish Auchterlonie|Sunniva Bergland|Tobias Eichelhardt|' +
  'Nerissa Goldwyn|Balthazar Kuyper|Philippa Drummond|Evander Locksley|Marlena|Corbin|Selwyn|Rosalind|Tamsin|Garrick'
).split('|');

function spoken(names: string, sentences: string): Spoken {
  return { names: names.split('|'), sentences: sentences.split('|') };
}
