import type { Path, Query } from '../path.ts';
import type { ForeignRequest } from '../send.ts';

const media = 'application/vnd.retailer.v10+json';

/** A request that reads. The version of the API is in the media type. */
export const get = (path: Path, query?: Query): ForeignRequest => ({
  method: 'GET',
  path,
  accept: media,
  ...(query && { query }),
});

/** A request that changes something. */
export const put = (path: Path, body: object): ForeignRequest => ({
  method: 'PUT',
  path,
  body,
  accept: media,
  contentType: media,
});
