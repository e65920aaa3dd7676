import Type from 'typebox';
import { Total, jobHead } from './job-head.ts';
import { Status } from '../returns/return-head.ts';
import {
  Instant,
  PathId,
  Platform,
  PlatformId,
  SignedUrl,
  UserId,
  about,
  closed,
  id,
  oneOf,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const subject = {
  platform: optional(
    about(Platform, 'The platform of the customer or of the order. Absent with `withdrawalId` and `userId`.'),
  ),
  customerId: optional(about(PlatformId, 'The id of the customer at the platform. Absent with the other ids.')),
  orderId: optional(
    about(
      PathId,
      'The id of an order for which the shop names no customer. The job erases the person who placed it. Absent with the other ids.',
    ),
  ),
  withdrawalId: optional(
    about(
      id('wdr'),
      'The id of a withdrawal, matched or not. The job erases its declaration. Absent with the other ids.',
    ),
  ),
  userId: optional(
    about(UserId, 'The id of a user of the console. The job erases the name. Absent with the other ids.'),
  ),
};

export const NewErasure = closed(
  {
    ...subject,
    countOnly: optional(about(Type.Boolean(), 'true: the job counts the data and deletes nothing. If absent, false.')),
  },
  {
    $id: 'NewErasure',
    description:
      'The person whose data the job erases. Send exactly one of `customerId`, `orderId`, `withdrawalId` and `userId`.',
  },
);

/** The fields that an erasure has in a list and by itself. */
export const erasureHead = {
  ...jobHead,
  kind: about(oneOf('erasure'), 'The kind of the job.'),
  request: about(
    closed({
      ...subject,
      countOnly: about(Type.Boolean(), 'true: the job counts the data and deletes nothing.'),
    }),
    'The request of the erasure, with the default values.',
  ),
};

const Erased = closed({
  persons: about(Total, 'The number of records with the name and the address of a person.'),
  texts: about(Total, 'The number of texts about the returns and in declarations of withdrawal.'),
  files: about(Total, 'The number of files of evidence.'),
  deliveries: about(Total, 'The number of webhook deliveries of the shop.'),
});

const Remaining = closed({
  returns: about(Total, 'The number of returns of the person. They stay without the erased data.'),
});

const ErasureReport = closed({
  erased: about(Erased, 'The data that was deleted so far. With `countOnly`, the data that would be deleted.'),
  kept: about(Remaining, 'The data that stays.'),
});

export const ErasureJob = closed(
  {
    ...erasureHead,
    progress: about(
      closed({
        passes: about(
          Total,
          'The number of passes through the data, the current one included. The job ends after a pass that finds nothing. 0 while queued.',
        ),
      }),
      'The progress of the job.',
    ),
    report: about(ErasureReport, 'The results so far. Complete when the status is `done`.'),
  },
  { $id: 'ErasureJob', description: 'A job that deletes the personal data of a customer.' },
);

const format = about(
  oneOf('csv', 'ndjson', 'history'),
  'The format of the files. `history`: each line is the history of a return or withdrawal, with its inclusion proof in the last daily root. `npm run verify` checks it.',
);
const from = optional(
  about(Instant, 'Only returns that were created at this time or later. If absent, there is no such limit.'),
);
const status = optional(
  about(Status, 'Only returns that have this status when the job reads them. If absent, returns of any status.'),
);

export const NewExport = closed(
  {
    format,
    from,
    until: optional(about(Instant, 'Only returns that were created before this time. If absent, now.')),
    status,
  },
  { $id: 'NewExport', description: 'The returns to export. Without filters, all returns.' },
);

const ExportFile = closed(
  {
    name: about(text(100), 'The name of the file.'),
    rows: about(Total, 'The number of returns in the file. In CSV, the number of lines of returns.'),
    bytes: about(Total, 'The size of the file in bytes.'),
    url: about(SignedUrl, 'The signed URL of the file, valid for five minutes. Read the job again for a new one.'),
    expiresAt: about(Instant, 'When `url` expires.'),
  },
  { $id: 'ExportFile', description: 'A file of an export.' },
);

/** The fields that an export has in a list and by itself. */
export const exportHead = {
  ...jobHead,
  kind: about(oneOf('export'), 'The kind of the job.'),
  request: about(
    closed({ format, from, until: about(Instant, 'Only returns that were created before this time.'), status }),
    'The request of the export, with the default values.',
  ),
};

export const ExportJob = closed(
  {
    ...exportHead,
    progress: about(
      closed({
        examined: about(Total, 'The number of returns that were read so far.'),
        rows: about(Total, 'The number of returns in files so far. In CSV, the number of lines of returns.'),
      }),
      'The progress of the job.',
    ),
    files: optional(
      about(
        list(ExportFile),
        'The files. Present when the status is `done`, until seven days after the creation of the job.',
      ),
    ),
  },
  { $id: 'ExportJob', description: 'A job that writes returns to files.' },
);
