/** Bad sources: each ends as failed, with its own code and the sentence of the table, and reveals nothing internal. */
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { failures, type FailureCode } from '@vds/proto/failures';
import { makeBadSamples, placeBadSamples } from '@vds/testkit/media/make-bad-samples';
import { answerStatus, truncated, hang, htmlPage, redirect, type Route } from '@vds/testkit/origin/routes';
import type { Target } from '../harness/host/host.ts';
import { names } from '../harness/source.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';

const internal = /127\.0\.0\.1|169\.254|localhost|loopback|ffmpeg|ffprobe|\/tmp|bucket|ECONN|ENOTFOUND|at .*\.ts:/;

type Case = {
  readonly what: string;
  readonly url: () => string;
  readonly codes: readonly FailureCode[];
  /** The details that the partner reads besides the sentence. */
  readonly details?: Readonly<Record<string, string>>;
};

const gzipped: Route = (_request, response) => {
  response.type('video/mp4').set('content-encoding', 'gzip').send(gzipSync('a video'));
};

describe('a bad source', () => {
  let target: Target;
  let partner: Partner;
  const ids = new Map<string, string>();
  const samples = [
    'empty.mp4',
    'text.mp4',
    'page.mp4',
    'playlist.mp4',
    'concat.mp4',
    'audio-only.mp4',
    'cover-art.mp4',
    'half.mp4',
    'half-without-index.mp4',
    'half.mkv',
    'old-codec.mp4',
    'old-container.avi',
    'one-frame.mp4',
    'encrypted.mp4',
  ];
  const codesOf = new Map<string, readonly FailureCode[]>();

  const path = (name: string) => (): string => target.origin.url(`/${name}`);
  const cases: readonly Case[] = [
    {
      what: 'that is not there (404)',
      url: path('missing.mp4'),
      codes: ['source_not_found'],
      details: { http_status: '404' },
    },
    {
      what: 'that is gone (410)',
      url: path('gone.mp4'),
      codes: ['source_not_found'],
      details: { http_status: '410' },
    },
    {
      what: 'that is forbidden (403)',
      url: path('forbidden.mp4'),
      codes: ['source_forbidden'],
      details: { http_status: '403' },
    },
    {
      what: 'whose host refuses the connection',
      url: () => `https://${names.refused}:1/a.mp4`,
      codes: ['source_unreachable'],
    },
    {
      what: 'whose host always fails (500)',
      url: path('broken.mp4'),
      codes: ['source_server_error'],
      details: { http_status: '500' },
    },
    {
      what: 'whose host never has time (503)',
      url: path('busy.mp4'),
      codes: ['source_server_error'],
      details: { http_status: '503', retry_after_seconds: '1' },
    },
    {
      what: 'whose host answers without a file (204)',
      url: path('nothing.mp4'),
      codes: ['source_server_error'],
      details: { http_status: '204' },
    },
    {
      what: 'that redirects in a circle',
      url: path('circle.mp4'),
      codes: ['source_too_many_redirects'],
      details: { http_status: '302', redirects: '5' },
    },
    {
      what: 'whose host compresses it',
      url: path('gzipped.mp4'),
      codes: ['source_encoded'],
      details: { http_status: '200', content_encoding: 'gzip' },
    },
    { what: 'whose host has no address', url: () => 'https://nowhere.test/a.mp4', codes: ['source_unreachable'] },
    { what: 'that never answers', url: path('silent.mp4'), codes: ['source_timeout'] },
    { what: 'that is cut off again and again', url: path('cut.mp4'), codes: ['source_truncated'] },
    {
      what: 'that resolves to a loopback address',
      url: () => `https://${names.loopback}/a.mp4`,
      codes: ['source_address_blocked'],
    },
    {
      what: 'that resolves to the metadata address',
      url: () => `https://${names.metadata}/a.mp4`,
      codes: ['source_address_blocked'],
    },
    { what: 'that redirects to a loopback address', url: path('to-loopback.mp4'), codes: ['source_address_blocked'] },
    { what: 'that redirects to the metadata address', url: path('to-metadata.mp4'), codes: ['source_address_blocked'] },
    { what: 'that redirects away from HTTPS', url: path('to-http.mp4'), codes: ['source_address_blocked'] },
    { what: 'that is a web page', url: path('page-of-host.mp4'), codes: ['source_not_video'] },
  ];

  before(async function () {
    this.timeout(240_000);
    target = await theTarget();
    partner = await target.newPartner('Bad input');
    const made = await makeBadSamples(samples);
    await placeBadSamples(target.media, made);
    for (const sample of made) codesOf.set(sample.name, sample.codes);
    const routes = {
      '/gone.mp4': answerStatus(410),
      '/forbidden.mp4': answerStatus(403),
      '/broken.mp4': answerStatus(500),
      '/busy.mp4': answerStatus(503, { 'retry-after': '1' }),
      '/nothing.mp4': answerStatus(204),
      '/circle.mp4': redirect('/circle.mp4'),
      '/gzipped.mp4': gzipped,
      '/silent.mp4': hang(),
      '/cut.mp4': truncated(`${target.media}/half.mp4`),
      '/to-loopback.mp4': redirect(`https://${names.loopback}/a.mp4`),
      '/to-metadata.mp4': redirect('https://169.254.169.254/latest/meta-data/'),
      '/to-http.mp4': redirect('http://example.com/a.mp4'),
      '/page-of-host.mp4': htmlPage(),
    };
    for (const [route, handler] of Object.entries(routes)) target.origin.route(route, handler);
    for (const one of cases) ids.set(one.what, await partner.submit(one.url()));
    for (const name of samples) ids.set(name, await partner.submit(target.origin.url(`/${name}`)));
  });

  const ends = async (key: string, codes: readonly FailureCode[], details?: Case['details']): Promise<void> => {
    const record: VideoRecord = await partner.settled(ids.get(key) ?? '');
    expect(record).to.include({ status: 'failed', is_available: false, playback: null });
    expect(codes).to.include(record.failure?.code);
    expect(record.failure?.message).to.equal(failures[record.failure?.code ?? 'internal_error'].message);
    if (details) expect(record.failure?.details).to.deep.equal(details);
    expect(JSON.stringify(record)).not.to.match(internal);
  };

  for (const one of cases) {
    it(`a source ${one.what} ends as ${one.codes.join(' or ')}`, async function () {
      this.timeout(300_000);
      await ends(one.what, one.codes, one.details);
    });
  }
  for (const name of samples) {
    it(`a source such as ${name} ends with its own code`, async function () {
      this.timeout(300_000);
      await ends(name, codesOf.get(name) ?? []);
    });
  }

  for (const [what, body, words] of [
    ['an http address', { source_url: 'http://example.com/a.mp4' }, ['source_url', 'https']],
    ['an address of this machine', { source_url: 'https://127.0.0.1/a.mp4' }, ['source_url']],
    ['a hidden loopback address', { source_url: 'https://0x7f.1/a.mp4' }, ['source_url']],
    ['a missing title', { source_url: 'https://example.com/a.mp4', title: undefined }, ['title']],
    ['a title that is too long', { title: 'x'.repeat(201) }, ['title', '200']],
    ['an unknown sport', { sport: 'quidditch' }, ['sport']],
    ['a language with a country', { language_code: 'en-US' }, ['language_code']],
  ] as const) {
    it(`a request with ${what} is rejected at once with field and rule`, async () => {
      const whole = { source_url: 'https://example.com/a.mp4', title: 'A test', ...body };
      const answer = await partner.call<{ error: { code: string; message: string } }>('POST', '/v1/videos', whole);
      expect(answer.status).to.equal(400);
      expect(answer.body.error.code).to.equal('invalid_input');
      for (const word of words) expect(answer.body.error.message).to.contain(word);
    });
  }
});
