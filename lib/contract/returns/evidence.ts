import Type from 'typebox';
import { about, closed, id, Instant, matching, oneOf, SignedUrl } from '../scalars.ts';

const { Optional: optional } = Type;

/** SHA-256 in base64, as the header `x-amz-checksum-sha256` carries it. */
const Sha256 = Type.String({
  ...matching(
    '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$',
    'a SHA-256 hash in base64, such as 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  ),
  examples: ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
});

const ContentType = oneOf('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'application/pdf', 'video/mp4');

const file = {
  lineId: optional(
    about(id('rln'), 'The line that the file is evidence for. Absent if it is evidence for the whole return.'),
  ),
  contentType: about(ContentType, 'The media type of the file.'),
  size: about(Type.Integer({ minimum: 1, maximum: 20 * 1024 * 1024 }), 'The size of the file in bytes.'),
  sha256: about(Sha256, 'The SHA-256 hash of the file, in base64.'),
};

export const NewAttachment = closed(file, {
  $id: 'NewAttachment',
  description: 'A file that the caller wants to upload as evidence for a return or one of its lines.',
});

/** A file of evidence as the return stores it. */
const attachment = {
  id: about(id('att'), 'The id of the attachment.'),
  ...file,
  addedAt: about(Instant, 'When the file was announced.'),
};

export const Evidence = closed(
  {
    ...attachment,
    url: about(
      SignedUrl,
      'The address of the file. Anyone who has it can read the file until `expiresAt`. It answers 403 if the file was never uploaded.',
    ),
    expiresAt: about(Instant, 'When the address expires. Read the return again for a new address.'),
  },
  { $id: 'Evidence', description: 'A file of evidence with an address to read it.' },
);

const Upload = closed(
  {
    method: about(oneOf('PUT'), 'The HTTP method of the upload.'),
    url: about(
      SignedUrl,
      'The address of the upload. Anyone who has it can upload the announced bytes until `expiresAt`, also repeatedly.',
    ),
    headers: about(
      closed({
        'content-type': about(ContentType, 'The announced media type.'),
        'x-amz-checksum-sha256': about(Sha256, 'The announced SHA-256 hash, in base64.'),
      }),
      'The headers that the upload must send.',
    ),
    expiresAt: about(Instant, 'When the address expires.'),
  },
  {
    $id: 'Upload',
    description: 'How to upload a file: send the announced bytes with this method and these headers to this address.',
  },
);

export const AddedAttachment = closed(
  {
    returnId: about(id('ret'), 'The id of the return.'),
    version: about(Type.Integer({ minimum: 1 }), 'The version of the return with the attachment.'),
    attachment: about(
      closed(attachment, { $id: 'Attachment', description: 'A file of evidence that a return refers to.' }),
      'The new attachment.',
    ),
    upload: optional(about(Upload, 'How to upload the file. Absent in the answer to a dry run.')),
  },
  { $id: 'AddedAttachment', description: 'A new attachment and how to upload its file.' },
);
