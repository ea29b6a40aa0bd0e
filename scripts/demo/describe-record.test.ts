import { failures } from '@vds/proto/failures';
import type { CaptionRow, StatusRecord } from '@vds/testkit/stack/partner';
import { expect } from 'chai';
import { captionsOf, failureOf } from './describe-record.ts';

const track: CaptionRow = { language: 'en', kind: 'captions', status: 'ready', reason: null };

function skipped(reason: CaptionRow['reason'], ...languages: string[]): CaptionRow[] {
  return languages.map((language) => ({ language, kind: 'subtitles', status: 'skipped', reason }));
}

describe('a record in sentences', () => {
  it('a film without speech has one line that says so', () => {
    expect(captionsOf(skipped('no_speech', 'en', 'es', 'fr'))).to.equal('no speech found, so no captions');
    expect(captionsOf(skipped('no_audio', 'en', 'es', 'fr'))).to.equal('no sound, so no captions');
  });

  it('a language that the speech engine does not know is named', () => {
    expect(captionsOf(skipped('language_unsupported', 'ko', 'es'))).to.include("does not know the language 'ko'");
  });

  it('captions are counted, and missing ones named with their reason', () => {
    expect(captionsOf([track, { ...track, language: 'es' }])).to.equal('captions in 2 of 2 languages');
    expect(captionsOf([track, ...skipped('no_path', 'de', 'ja')])).to.equal(
      'captions in 1 of 3 languages (de, ja: no translation)',
    );
  });

  it('a failed video is described by code, stage, message and whether it may succeed later', () => {
    const { message, retryable } = failures.source_server_error;
    const record: StatusRecord = {
      id: 'vid_01jd3m8q0c7e5b9x2k4n6p8rst',
      status: 'failed',
      is_available: false,
      title: 'Our final',
      summary: null,
      tags: [],
      thumbnail_url: null,
      playback: null,
      created_at: '2030-01-01T00:00:00.000Z',
      failure: { code: 'source_server_error', stage: 'fetch', retryable, message, details: { http_status: '503' } },
    };
    expect(failureOf(record)).to.equal(
      `“Our final” failed: source_server_error, stage fetch (http_status 503).\n  ${message}\n  The same file may succeed later.`,
    );
  });
});
