import Type from 'typebox';
import { closed, id, Instant, matching, oneOf, SignedUrl } from '../scalars.ts';

const { Optional: optional } = Type;

/** SHA-256 in base64, as `x-amz-checksum-sha256` carries it. */
const Sha256 = Type.String({
  ...matching(
    '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$',
    'a SHA-256 hash in base64, such as 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  ),
  examples: ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
});

const ContentType = oneOf('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'application/pdf', 'video/mp4');

/** A file of at most 20 MiB that shows something: of the line that it names, or of the return as a whole. */
const file = {
  lineId: optional(id('rln')),
  contentType: ContentType,
  /** Bytes. */
  size: Type.Integer({ minimum: 1, maximum: 20 * 1024 * 1024 }),
  sha256: Sha256,
};

/** A file to be uploaded; `size` is in bytes, `sha256` in base64. */
export const NewAttachment = closed(file, { $id: 'NewAttachment' });

/** A file that a return refers to. */
const attachment = { id: id('att'), ...file, addedAt: Instant };

/**
 * Evidence, for readers. `url` serves the file until `expiresAt`; one that was never uploaded is refused there with 403.
 */
export const Evidence = closed({ ...attachment, url: SignedUrl, expiresAt: Instant }, { $id: 'Evidence' });

/**
 * How to send the file: with this method, to this address, with these headers and the very bytes that were announced.
 * Who holds the address may do so until `expiresAt`, again too.
 */
const Upload = closed(
  {
    method: oneOf('PUT'),
    url: SignedUrl,
    headers: closed({ 'content-type': ContentType, 'x-amz-checksum-sha256': Sha256 }),
    expiresAt: Instant,
  },
  { $id: 'Upload' },
);

/** An attachment, the version of the return with it, and where its bytes go; a dry run has nowhere to put them. */
export const AddedAttachment = closed(
  {
    returnId: id('ret'),
    version: Type.Integer({ minimum: 1 }),
    attachment: closed(attachment, { $id: 'Attachment' }),
    upload: optional(Upload),
  },
  { $id: 'AddedAttachment' },
);
