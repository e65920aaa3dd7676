import { actionsOn, arnOf, type Permission } from './permission.ts';

/*
 * The trees over all histories, and their roots. A deployment with Object Lock writes both to the locked bucket. Until
 * its second tree, the last one is in the bucket of the exports.
 */

const condition = 'AnchorsHistory';

const onTrees = actionsOn('s3', { 'Fn::Sub': '${ExportBucket.Arn}/anchors/*' });
const onLockedTrees = actionsOn('s3', { 'Fn::Sub': '${AnchorBucket.Arn}/trees/*' });
const onRoots = actionsOn('s3', { 'Fn::Sub': '${AnchorBucket.Arn}/roots/*' });

/** Without this permission S3 responds with 403 to a missing object. */
const listBuckets: readonly Permission[] = [
  actionsOn('s3', arnOf('ExportBucket'))('ListBucket'),
  { ...actionsOn('s3', arnOf('AnchorBucket'))('ListBucket'), condition },
];

/** Reads the last tree. */
export const readTrees: readonly Permission[] = [
  ...listBuckets,
  onTrees('GetObject'),
  { ...onLockedTrees('GetObject'), condition },
];

/** Writes trees and roots, and compares them with the last tree. */
export const writeTrees: readonly Permission[] = [
  ...listBuckets,
  onTrees('PutObject', 'GetObject'),
  { ...onLockedTrees('PutObject', 'GetObject'), condition },
  { ...onRoots('PutObject', 'GetObject'), condition },
];
