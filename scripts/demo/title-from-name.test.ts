import { expect } from 'chai';
import { ownVideo } from './source.ts';
import { titleFromName } from './title-from-name.ts';

describe('the title of a video of one’s own', () => {
  for (const [name, title] of [
    ['holiday_2024-final.mp4', 'Holiday 2024 final'],
    ['Match.Day.One.MOV', 'Match Day One'],
    ['release 1.5.webm', 'Release 1.5'],
    ['élan--vital.mkv', 'Élan vital'],
    ['2024-06-01.mp4', '2024-06-01'],
    ['日本の試合.mp4', '日本の試合'],
    ['clip', 'Clip'],
    ['.mp4', 'Video'],
    ['___.mp4', 'Video'],
    ['', 'Video'],
  ] as const) {
    it(`the name '${name}' becomes the title '${title}'`, () => expect(titleFromName(name)).to.equal(title));
  }

  it('a title has at most 200 characters, and none is cut in half', () => {
    expect([...titleFromName(`${'🏊'.repeat(300)}.mp4`)]).to.deep.equal(Array.from({ length: 200 }, () => '🏊'));
  });

  it('a video of one’s own has the given title, sport and language, and no others', () => {
    const url = 'https://media.test/our_final.mp4';
    expect(ownVideo(url, 'our_final.mp4', {}).submission).to.deep.equal({ source_url: url, title: 'Our final' });
    const described = ownVideo(url, 'our_final.mp4', { title: 'A', sport: 'tennis', language: 'es' });
    expect(described.submission).to.deep.equal({ source_url: url, title: 'A', sport: 'tennis', language_code: 'es' });
  });
});
