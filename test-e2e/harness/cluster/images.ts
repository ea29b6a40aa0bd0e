/** The images of the release under test. They must already be in the cluster: nothing is pulled. */
export const images = {
  repository: process.env['VDS_IMAGE_REPOSITORY'] ?? 'localhost/vds',
  tag: process.env['VDS_IMAGE_TAG'] ?? '1.0.0',
} as const;
