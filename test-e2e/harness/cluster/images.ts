/** Which images the release under test runs. They are in the cluster before: nothing is pulled. */
export const images = {
  repository: process.env['VDS_IMAGE_REPOSITORY'] ?? 'localhost/vds',
  tag: process.env['VDS_IMAGE_TAG'] ?? '1.0.0',
} as const;
