/** Everything that the house still keeps of a video in object storage, seen with the storage's own root account. */
import { openObjects } from '@vds/shared/objects';
import type { Target } from './host.ts';

/** Keys of objects and unfinished uploads of a video, in every bucket. */
export const leftoversOf = async ({ house }: Target, id: string): Promise<string[]> => {
  const { endpoint, region, rootAccessKey, rootSecretKey } = house.servers.s3;
  const config = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: rootAccessKey, s3SecretKey: rootSecretKey };
  const found = await Promise.all(
    Object.values(house.buckets).map((bucket) =>
      openObjects(config, bucket).leftovers(`videos/${id.replace(/^vid_/, '')}/`),
    ),
  );
  return found.flat();
};
