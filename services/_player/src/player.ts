/**
 * `<vds-player playback-url="https://play.example.org" playback-id="…" token="…">`: one video of the Video Distribution
 * Service. It plays by hls.js, or by the browser's own HLS where that is all there is, with menus of captions and of
 * sound, a strip of pictures to seek by, chapters, and keys.
 *
 * Its children are ordinary elements that the page may style, or bring itself: a `video`, a `select[data-part=captions]`,
 * a `select[data-part=sound]`, a `[data-part=storyboard]` and a `[data-part=chapters]`.
 */
import type Hls from 'hls.js';
import { captionMenu, type CaptionMenu } from './caption-menu.ts';
import { showChapters, type Chapter } from './chapters.ts';
import { handleKeys } from './keys.ts';
import { openStream, type ReportViews } from './open-stream.ts';
import { soundMenu } from './sound-menu.ts';
import { showStoryboard } from './storyboard.ts';

export type { Chapter } from './chapters.ts';
export type { PlayerError, ReportViews } from './open-stream.ts';
export { pictureAt, readStoryboard, type StoryboardPicture } from './storyboard.ts';

const WATCHED = ['playback-url', 'playback-id', 'token'] as const;

/**
 * Events: `vds-open` before anything is loaded (`hls` is there), `vds-storyboard` with its pictures, and `vds-error`
 * with a {@link PlayerError} where playback ends for good. The element's own `video` fires the browser's events.
 */
export class VdsPlayer extends HTMLElement {
  static readonly observedAttributes: readonly string[] = WATCHED;
  /** `reportViews` of `@vds/player-analytics`, for performance data of what is watched; by default nothing is reported. */
  static reportViews: ReportViews | undefined;

  /** Undefined until something is open, and where the browser plays HLS itself. */
  hls: Hls | undefined;
  /** Where playback begins, in seconds; read when the stream is opened. */
  startAt = 0;
  #captions: CaptionMenu | undefined;
  #chapters: readonly Chapter[] = [];
  #shownChapters: ReturnType<typeof showChapters> | undefined;
  #closers: (() => void)[] = [];
  #isDue = false;

  get video(): HTMLVideoElement {
    return this.#part('video', () => {
      const made = document.createElement('video');
      return Object.assign(made, { controls: true, playsInline: true });
    });
  }

  get chapters(): readonly Chapter[] {
    return this.#chapters;
  }

  /** Of the video, as its page knows them; shown on the timeline in the language of the captions that are shown. */
  set chapters(chapters: readonly Chapter[]) {
    this.#chapters = chapters;
    if (this.isConnected) this.#showChapters();
  }

  connectedCallback(): void {
    const rename = (): void => this.#shownChapters?.rename();
    this.addEventListener('change', rename);
    this.#closers.push(() => this.removeEventListener('change', rename));
    this.#closers.push(handleKeys(this, this.video, () => this.toggleCaptions()));
    if (this.#chapters.length > 0) this.#showChapters();
    this.#reopen();
  }

  disconnectedCallback(): void {
    this.#close();
  }

  attributeChangedCallback(): void {
    this.#reopen();
  }

  /** Hides the captions, or shows those that were shown last; the spoken language at first. */
  toggleCaptions(): void {
    this.#captions?.toggle();
  }

  /** @param language BCP 47, as the stream names its tracks; '' for none */
  showCaptions(language: string): void {
    this.#captions?.show(language);
  }

  /** Attributes that change together open one stream. */
  #reopen(): void {
    if (!this.isConnected || this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) this.#open();
    });
  }

  #open(): void {
    const { currentTime, paused } = this.video;
    this.#closeStream();
    const [base, playbackId, token] = WATCHED.map((name) => this.getAttribute(name) ?? '');
    if (!base || !playbackId || !token) return;
    const url = new URL(`${playbackId}.m3u8`, base.endsWith('/') ? base : `${base}/`);
    url.searchParams.set('token', token);
    const { video } = this;
    // A fresh token for what plays: it goes on where it was.
    const continues = playbackId === this.#opened && currentTime > 0;
    this.#opened = playbackId;
    const stream = openStream(video, url.href, {
      startAt: continues ? currentTime : this.startAt,
      reportViews: VdsPlayer.reportViews,
      failed: (error) => this.#tell('vds-error', error),
      before: (hls) => {
        this.hls = hls;
        this.#captions = captionMenu(
          hls,
          this.#part('select[data-part=captions]', () => makeMenu('captions')),
        );
        soundMenu(
          hls,
          this.#part('select[data-part=sound]', () => makeMenu('sound')),
        );
        this.#tell('vds-open', undefined);
      },
    });
    const strip = this.#part<HTMLElement>('[data-part=storyboard]', makeStrip);
    const storyboard = showStoryboard(strip, video, new URL(`p/${token}/${playbackId}/storyboard.vtt`, url));
    void storyboard.pictures.then((pictures) => this.#tell('vds-storyboard', pictures));
    this.#streamClosers = [stream.close, storyboard.close];
    // Where the browser does not allow it, the viewer has to press play, as usual.
    if (continues && !paused) video.play().catch(() => {});
  }

  #showChapters(): void {
    this.#shownChapters?.close();
    const bar = this.#part<HTMLElement>('[data-part=chapters]', makeChapterBar);
    const language = (): string =>
      this.querySelector<HTMLSelectElement>('select[data-part=captions]')?.value ||
      (this.closest<HTMLElement>('[lang]')?.lang ?? '');
    this.#shownChapters = showChapters(bar, this.video, this.#chapters, language);
  }

  /** The playback id that was opened last. */
  #opened: string | undefined;

  #streamClosers: (() => void)[] = [];

  #closeStream(): void {
    for (const close of this.#streamClosers.splice(0)) close();
    this.hls = undefined;
    this.#captions = undefined;
  }

  #close(): void {
    this.#closeStream();
    this.#shownChapters?.close();
    for (const close of this.#closers.splice(0)) close();
  }

  #part<T extends Element>(selector: string, make: () => T): T {
    const found = this.querySelector<T>(selector);
    if (found) return found;
    const made = make();
    this.append(made);
    return made;
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function makeMenu(part: 'captions' | 'sound'): HTMLSelectElement {
  const menu = document.createElement('select');
  menu.dataset['part'] = part;
  menu.ariaLabel = part === 'captions' ? 'Captions' : 'Sound';
  return menu;
}

function makeStrip(): HTMLElement {
  const strip = document.createElement('div');
  strip.dataset['part'] = 'storyboard';
  return strip;
}

function makeChapterBar(): HTMLElement {
  const bar = document.createElement('div');
  bar.dataset['part'] = 'chapters';
  bar.role = 'group';
  bar.ariaLabel = 'Chapters';
  return bar;
}

if (!customElements.get('vds-player')) customElements.define('vds-player', VdsPlayer);
