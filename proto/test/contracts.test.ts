import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { auth, captions, catalog, deadLetters, indexer, metadata, transcode } from '../index.ts';
import { events, purgeConfirmations, stageEvents } from '../events.ts';
import { failures, isFailureCode } from '../failures.ts';

type Schemas = { components: { schemas: Record<string, { enum?: string[] }> } };
const openapi = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8')) as Schemas;

describe('contracts', () => {
  it('the event table has each subject once, under its owner, with a version', () => {
    const subjects = Object.values(events).map(({ subject }) => subject);
    expect(new Set(subjects).size).to.equal(subjects.length);
    for (const { subject, owner } of Object.values(events))
      expect(subject).to.match(new RegExp(`^${owner}\\.[a-z]+\\.[a-z]+\\.v\\d+$`));
  });

  it('the events of a stage, of its milestones and of purges follow from the table of stages', () => {
    const { milestones, ...life } = stageEvents.encode;
    expect(Object.values(life).map(({ subject, message, owner }) => [subject, message, owner])).to.deep.equal([
      ['catalog.encode.requested.v1', 'vds.transcode.v1.EncodeRequested', 'catalog'],
      ['transcode.encode.started.v1', 'vds.common.v1.StageStarted', 'transcode'],
      ['transcode.encode.progressed.v1', 'vds.common.v1.StageProgressed', 'transcode'],
      ['transcode.encode.completed.v1', 'vds.transcode.v1.EncodeCompleted', 'transcode'],
      ['transcode.encode.failed.v1', 'vds.common.v1.StageFailed', 'transcode'],
    ]);
    expect(events.encodeRequested.consumers).to.deep.equal({ transcode: 'durable' });
    expect(events.audioCompleted).to.equal(milestones.audio);
    expect(events.headStored).to.include({ subject: 'ingest.head.stored.v1', message: 'vds.ingest.v1.HeadStored' });
    const purged = ['ingest', 'transcode', 'captions', 'metadata', 'indexer'].map((one) => `${one}.video.purged.v1`);
    expect(purgeConfirmations.map(({ subject }) => subject)).to.have.members(purged);
  });

  it('the event table names a message for every event that is decoded as it was encoded', () => {
    for (const event of Object.values(events)) {
      // What is watched is told of many videos at once.
      const sent = event === events.videosWatched ? { halfLifeMs: 7 } : { videoId: '01jd3m8q0c7e5b9x2k4n6p8rst' };
      expect(event.decode(event.encode(sent as never)), event.subject).to.include(sent);
    }
  });

  it('every event of a stage that can be requested again carries the revision', () => {
    const { captionsStarted, captionsProgressed, captionsFailed, captionsCompleted } = events;
    const { metadataStarted, metadataProgressed, metadataFailed, metadataCompleted } = events;
    const ofCaptions = [captionsStarted, captionsProgressed, captionsFailed, captionsCompleted];
    const ofMetadata = [metadataStarted, metadataProgressed, metadataFailed, metadataCompleted];
    for (const event of [...ofCaptions, ...ofMetadata, events.captionsRequested, events.metadataRequested]) {
      const sent = { videoId: 'a', attempt: 1, revision: 3 };
      expect(event.decode(event.encode(sent as never)), event.subject).to.include(sent);
    }
  });

  it('a tracks-changed event carries every track, and absent fields stay absent', () => {
    const track = {
      language: 'pt-BR',
      kind: 'subtitles',
      status: 'skipped',
      name: 'Português',
      path: ['en', 'pt-BR'],
      correctedBy: '',
      provided: false,
    };
    const state = { revision: 2, tracks: [track], transcriptRevision: 0 };
    const decoded = events.tracksChanged.decode(events.tracksChanged.encode({ videoId: 'a', attempt: 1, state }));
    expect(decoded.state).to.deep.equal(state);
  });

  it('an absent optional field of an event stays absent', () => {
    expect(events.videoChanged.decode(events.videoChanged.encode({ videoId: 'a', version: 1 }))).not.to.have.property(
      'playbackId',
    );
  });

  it('openapi.yaml lists every failure code of the table, and no other', () => {
    expect(openapi.components.schemas['FailureCode']?.enum).to.have.members(Object.keys(failures));
  });

  it('every failure sentence ends with what to do, and shows nothing internal', () => {
    for (const [code, { message }] of Object.entries(failures)) {
      expect(message, code).to.match(/(Check|Make|Host|Export|Submit|Upload|Split|submit)[^.]*\.$/);
      expect(message, code).not.to.match(/ffmpeg|ffprobe|S3|bucket|postgres|nats|127\.|169\.254/i);
    }
  });

  it('isFailureCode accepts codes of the table, and no other word', () => {
    expect(isFailureCode('source_empty')).to.equal(true);
    expect(isFailureCode('toString')).to.equal(false);
  });

  it('the gRPC definition of every service loads', () => {
    expect(Object.keys(auth.AuthService.service)).to.include('Authorize');
    expect(Object.keys(catalog.CatalogService.service)).to.include('CreateVideo');
    expect(Object.keys(transcode.TranscodeService.service)).to.include('GetLadder');
    expect(Object.keys(captions.CaptionsAdmin.service)).to.include('RerunTracks');
    expect(Object.keys(metadata.MetadataService.service)).to.include('GetMetadata');
    expect(Object.keys(indexer.IndexerService.service)).to.include('Search');
    expect(Object.keys(deadLetters.DeadLetterAdmin.service)).to.include('ReplayDeadLetter');
  });
});
