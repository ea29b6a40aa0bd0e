/** Chapters on the timeline: a button for each, as wide as it is long, named by its time and title. */
import { clock } from './clock.ts';

export type Chapter = {
  readonly startMs: number;
  /** In the spoken language; may be empty. */
  readonly title: string;
  /** By language (BCP 47). */
  readonly titles?: Readonly<Record<string, string>>;
};

/**
 * Fills the bar; a click, or Enter on a focused one, plays from there.
 * @param language of the viewer now, for the titles; '' for the spoken one
 */
export function showChapters(
  bar: HTMLElement,
  video: HTMLVideoElement,
  chapters: readonly Chapter[],
  language: () => string,
) {
  const closing = new AbortController();
  const { signal } = closing;
  const ordered = chapters.toSorted((a, b) => a.startMs - b.startMs);
  const marks = ordered.map(({ startMs }) => {
    const mark = document.createElement('button');
    mark.type = 'button';
    mark.addEventListener('click', () => (video.currentTime = startMs / 1_000));
    return mark;
  });
  const name = (): void =>
    marks.forEach((mark, index) => {
      const { startMs = 0, title = '' } = titledIn(ordered[index], language());
      mark.title = `${clock(startMs / 1_000)} ${title || `Chapter ${index + 1}`}`;
      mark.ariaLabel = mark.title;
    });
  const fit = (): void =>
    marks.forEach((mark, index) => {
      const endMs = ordered[index + 1]?.startMs ?? (video.duration || 0) * 1_000;
      mark.style.flexGrow = String(Math.max(0.001, (endMs - (ordered[index]?.startMs ?? 0)) / 1_000));
    });
  const follow = (): void => {
    const now = ordered.findLastIndex(({ startMs }) => startMs <= video.currentTime * 1_000);
    marks.forEach((mark, index) => (mark.ariaCurrent = index === now ? 'true' : null));
  };
  bar.hidden = marks.length === 0;
  bar.replaceChildren(...marks);
  for (const update of [name, fit, follow]) update();
  video.addEventListener('durationchange', fit, { signal });
  for (const event of ['timeupdate', 'seeking']) video.addEventListener(event, follow, { signal });
  return {
    /** The viewer's language has changed. */
    rename: name,
    close: (): void => closing.abort(),
  };
}

/** With the title in the language, or in another of its countries. */
function titledIn(chapter: Chapter | undefined, language: string): Partial<Chapter> {
  const { titles = {} } = chapter ?? {};
  const [primary = ''] = language.split('-');
  const other = Object.keys(titles).find((one) => primary !== '' && one.split('-')[0] === primary) ?? '';
  const title = titles[language] ?? titles[other] ?? chapter?.title;
  return { ...chapter, ...(title !== undefined && { title }) };
}
