/** The demo's video: an internet address, or a file that the demo serves over HTTPS itself. */
import { basename, dirname } from 'node:path';
import { makeClip } from '@vds/testkit/media/make-clip';
import { startOrigin } from '@vds/testkit/origin/origin';
import { step } from '@vds/testkit/servers/progress';
import type { DemoArguments } from './arguments.ts';

export type DemoSource = {
  readonly url: string;
  readonly title: string;
  /** The settings with which the gateway and ingest accept and fetch it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** Creates or finds the video and starts its server. */
export async function openSource(source: DemoArguments['source']): Promise<DemoSource> {
  switch (source.kind) {
    case 'address': {
      const title = decodeURIComponent(basename(new URL(source.url).pathname)) || 'Video';
      return { url: source.url, title, environment: {}, close: async () => {} };
    }
    case 'file':
      return serveFile(source.path, basename(source.path));
    case 'clip': {
      const clip = await step('clip: 25 s of pictures, text and speech', makeClip);
      return serveFile(clip, 'Championship final: the last minute');
    }
  }
}

async function serveFile(path: string, title: string): Promise<DemoSource> {
  const origin = await step('HTTPS server for the video, with a certificate authority of its own', () =>
    startOrigin({ root: dirname(path), hosts: ['clips.demo.test'] }),
  );
  const url = origin.url(`/${encodeURIComponent(basename(path))}`);
  return { url, title, environment: origin.environment, close: origin.close };
}
