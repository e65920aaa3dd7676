import { namesEvidenceCorsOrigin } from '../token-parameters.ts';

const uploads = {
  AllowedOrigins: ['*'],
  AllowedMethods: ['PUT'],
  AllowedHeaders: ['content-type', 'x-amz-checksum-sha256'],
  MaxAge: 3600,
};

/**
 * The CORS configuration of the bucket of evidence. The presigned URL authorises the upload, from any origin. Pages of
 * the console also read the files.
 */
export const evidenceCors = () => ({
  CorsRules: [
    uploads,
    {
      'Fn::If': [
        namesEvidenceCorsOrigin,
        { ...uploads, AllowedOrigins: [{ Ref: 'EvidenceCorsOrigin' }], AllowedMethods: ['GET', 'PUT'] },
        { Ref: 'AWS::NoValue' },
      ],
    },
  ],
});
