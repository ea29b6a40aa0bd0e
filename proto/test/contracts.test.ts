import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { auth, captions, catalog, indexer, metadata, transcode } from '../index.ts';
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

  it('have the revision in every fact of a stage that can be asked for once more', () => {
    const { captionsStarted, captionsProgressed, captionsFailed, captionsCompleted } = events;
    const { metadataStarted, metadataProgressed, metadataFailed, metadataCompleted } = events;
    const ofCaptions = [captionsStarted, captionsProgressed, captionsFailed, captionsCompleted];
    const ofMetadata = [metadataStarted, metadataProgressed, metadataFailed, metadataCompleted];
    for (const event of [...ofCaptions, ...ofMetadata, events.captionsRequested, events.metadataRequested]) {
      const sent = { videoId: 'a', attempt: 1, revision: 3 };
      expect(event.decode(event.encode(sent as never)), event.subject).to.include(sent);
    }
  });

  it('carry every track with what is absent left absent', () => {
    const track = { language: 'pt-BR', kind: 'subtitles', status: 'skipped', name: 'Português', path: ['en', 'pt-BR'] };
    const state = { revision: 2, tracks: [track], transcriptRevision: 0 };
    const told = events.tracksChanged.decode(events.tracksChanged.encode({ videoId: 'a', attempt: 1, state }));
    expect(told.state).to.deep.equal(state);
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
    expect(Object.keys(captions.CaptionsAdmin.service)).to.include('RerunTracks');
    expect(Object.keys(metadata.MetadataService.service)).to.include('GetMetadata');
    expect(Object.keys(indexer.IndexerService.service)).to.include('Search');
  });
});
