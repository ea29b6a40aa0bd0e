import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { auth, catalog, transcode } from '../index.ts';
import { events } from '../events.ts';
import { failures, isFailureCode } from '../failures.ts';

type Schemas = { components: { schemas: Record<string, { enum?: string[] }> } };
const openapi = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8')) as Schemas;

describe('contracts', () => {
  it('say each subject once, under its owner, with a version', () => {
    const subjects = Object.values(events).map(({ subject }) => subject);
    expect(new Set(subjects).size).to.equal(subjects.length);
    for (const { subject, owner } of Object.values(events))
      expect(subject).to.match(new RegExp(`^${owner}\\.[a-z]+\\.[a-z]+\\.v\\d+$`));
  });

  it('name a message for every event that survives the wire', () => {
    for (const event of Object.values(events)) {
      const sent = { videoId: '01jd3m8q0c7e5b9x2k4n6p8rst' };
      expect(event.decode(event.encode(sent as never)), event.subject).to.include(sent);
    }
  });

  it('keep an absent optional field absent', () => {
    expect(events.videoChanged.decode(events.videoChanged.encode({ videoId: 'a', version: 1 }))).not.to.have.property(
      'playbackId',
    );
  });

  it('offer every failure code of the table to partners, and no other', () => {
    expect(openapi.components.schemas['FailureCode']?.enum).to.have.members(Object.keys(failures));
  });

  it('end every failure sentence by saying what to do, in words that show nothing internal', () => {
    for (const [code, { message }] of Object.entries(failures)) {
      expect(message, code).to.match(/(Check|Make|Host|Export|Submit|Upload|Split|submit)[^.]*\.$/);
      expect(message, code).not.to.match(/ffmpeg|ffprobe|S3|bucket|postgres|nats|127\.|169\.254/i);
    }
  });

  it('know a code of the table from any other word', () => {
    expect(isFailureCode('source_empty')).to.equal(true);
    expect(isFailureCode('toString')).to.equal(false);
  });

  it('load every service', () => {
    expect(Object.keys(auth.AuthService.service)).to.include('Authorize');
    expect(Object.keys(catalog.CatalogService.service)).to.include('CreateVideo');
    expect(Object.keys(transcode.TranscodeService.service)).to.include('GetLadder');
  });
});
