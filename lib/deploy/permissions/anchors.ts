import { on } from './permission.ts';
import { goOn, queryByCreation, summaries, transact } from './table.ts';

/* Who anchors histories reads all returns and writes none: it reaches how far it is, what it tells, and its two buckets. */

const whereAnchored = 'AnchorsHistory';
const onPages = on('s3', { 'Fn::Sub': '${ExportBucket.Arn}/anchors/*' });

export const readPages = onPages('GetObject');
export const anchor = [
  goOn,
  queryByCreation,
  summaries,
  transact('ANCHOR#*', 'UNLISTED'),
  onPages('PutObject'),
  { ...on('s3', { 'Fn::Sub': '${AnchorBucket.Arn}/roots/*' })('PutObject', 'GetObject'), condition: whereAnchored },
];
