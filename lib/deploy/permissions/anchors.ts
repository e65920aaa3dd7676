import { actionsOn } from './permission.ts';
import { useCheckpoint, queryByCreation, getSummaries, transact } from './table.ts';

/* anchorChains reads all returns and writes none. It writes its checkpoint, its event and its two buckets. */

const anchorCondition = 'AnchorsHistory';
const onPages = actionsOn('s3', { 'Fn::Sub': '${ExportBucket.Arn}/anchors/*' });

export const readAnchorPages = onPages('GetObject');
export const anchorChains = [
  useCheckpoint,
  queryByCreation,
  getSummaries,
  transact('ANCHOR#*', 'UNLISTED'),
  onPages('PutObject'),
  {
    ...actionsOn('s3', { 'Fn::Sub': '${AnchorBucket.Arn}/roots/*' })('PutObject', 'GetObject'),
    condition: anchorCondition,
  },
];
