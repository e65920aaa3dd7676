import { adminCommand, command } from '../entry.ts';
import {
  at,
  attachmentId,
  decided,
  eur,
  file,
  line,
  lineId,
  noteId,
  nothing,
  requested,
  returnId,
  worth,
} from '../example-story.ts';
import {
  Approval,
  Cancellation,
  Completion,
  InfoAnswer,
  NewNote,
  commandErrorCodes,
  Question,
  RejectionRequest,
  Reopening,
} from './commands.ts';
import { AddedAttachment, NewAttachment } from './evidence.ts';
import { Return, ReturnPath } from './return.ts';

/* The commands that decide on a return, and end it. */

export const approve = command({
  path: '/returns/{returnId}/approve',
  summary: 'Approve a requested return, whole or in part',
  description:
    'Without lines all of it. With lines, each line of the return must be named once; units that are not approved are rejected, and free for another return. A line that does not qualify by the policy (`not_eligible`) is approved with `override.reason` of its entry in `lines`, which takes returns:admin. A line whose reason demanded evidence needs an attachment, of its own or of the whole return, or an override.',
  params: ReturnPath,
  body: Approval,
  answers: Return,
  refuses: [
    ...commandErrorCodes,
    'return_line_not_found',
    'statutory_floor_violation',
    'override_requires_admin',
    'not_eligible',
    'evidence_required',
  ],
  example: {
    body: { lines: [{ lineId, quantity: 1 }] },
    output: {
      ...requested,
      ...decided,
      status: 'approved',
      lines: [{ ...line, quantities: { ...line.quantities, approved: 1 } }],
      decision: { overridden: false, overrides: [] },
      approvedAt: at.decided,
    },
  },
});

export const reject = command({
  path: '/returns/{returnId}/reject',
  summary: 'Refuse a requested return',
  description:
    'The whole return; its units are free for another one. Units that a law protects are not rejected, but with `floorOverride`, which takes returns:admin and is recorded as a discrepancy.',
  params: ReturnPath,
  body: RejectionRequest,
  answers: Return,
  refuses: [...commandErrorCodes, 'statutory_floor_violation', 'override_requires_admin'],
  example: {
    body: { code: 'final_sale', note: 'It was on sale' },
    output: {
      ...requested,
      ...decided,
      status: 'rejected',
      lines: [{ ...line, quantities: { ...line.quantities, rejected: 1 }, amounts: nothing }],
      rejection: { code: 'final_sale' },
      rejectedAt: at.decided,
    },
  },
});

export const requestInfo = command({
  path: '/returns/{returnId}/request-info',
  summary: 'Ask the customer something about a requested return',
  description:
    'The return waits for the answer. Its deadlines do not: those of a statutory withdrawal run from the request.',
  params: ReturnPath,
  body: Question,
  answers: Return,
  refuses: commandErrorCodes,
  example: {
    body: { message: 'Has it been worn?' },
    output: {
      ...requested,
      ...decided,
      status: 'info_requested',
      messages: [{ id: noteId, direction: 'asked', at: at.decided }],
      infoRequestedAt: at.decided,
    },
  },
});

export const provideInfo = command({
  path: '/returns/{returnId}/provide-info',
  summary: 'Answer what the customer was asked',
  description:
    'By words, by evidence that was attached before, or both. The return is back where it waits for its decision.',
  params: ReturnPath,
  body: InfoAnswer,
  answers: Return,
  refuses: [...commandErrorCodes, 'attachment_not_found'],
  example: {
    body: { message: 'Only tried on' },
    output: {
      ...requested,
      version: 3,
      messages: [
        { id: noteId, direction: 'asked', at: at.asked },
        { id: 'note_01KAJ45T0N6P2R8S4V1W3X5Y7Z', direction: 'answered', at: at.decided },
      ],
      infoRequestedAt: at.asked,
      updatedAt: at.decided,
    },
  },
});

export const complete = command({
  path: '/returns/{returnId}/complete',
  summary: 'Complete a return of which nothing is left to do',
  description:
    'Nothing is to come, to be looked at, to be sent back or to be paid. Money that is owed and will not be paid is waived with `waive.reason`; where a law protects the goods, that takes `floorOverride` and returns:admin.',
  params: ReturnPath,
  body: Completion,
  answers: Return,
  refuses: [...commandErrorCodes, 'statutory_floor_violation', 'override_requires_admin'],
  example: {
    body: { waive: { reason: 'The customer keeps it and wants no money' } },
    output: {
      ...requested,
      ...decided,
      version: 3,
      status: 'completed',
      lines: [{ ...line, quantities: { ...line.quantities, approved: 1, returnless: 1 } }],
      waiver: {},
      decision: { overridden: false, overrides: [] },
      approvedAt: at.asked,
      completedAt: at.decided,
    },
  },
});

export const cancel = command({
  path: '/returns/{returnId}/cancel',
  summary: 'Cancel a return, whole or some of its units',
  description:
    'Without lines all that has not come back; with lines that many units of each. Once goods are on their way it takes returns:admin.',
  params: ReturnPath,
  body: Cancellation,
  answers: Return,
  refuses: [...commandErrorCodes, 'return_line_not_found'],
  example: {
    body: { code: 'changed_mind' },
    output: {
      ...requested,
      ...decided,
      status: 'cancelled',
      lines: [{ ...line, quantities: { ...line.quantities, approved: 1, cancelled: 1 }, amounts: nothing }],
    },
  },
});

export const expire = command({
  path: '/returns/{returnId}/expire',
  summary: 'Let a return expire that nothing came of',
  description:
    'After the deadline to send the goods or to answer; before it, or without one, it takes returns:admin. What was to come is missing, what was undecided rejected; all of it is free for another return. Undecided units that a law protects do not expire: approve them, or reject them with an override.',
  params: ReturnPath,
  answers: Return,
  refuses: [...commandErrorCodes, 'statutory_floor_violation'],
  example: {
    output: {
      ...requested,
      ...decided,
      version: 3,
      status: 'expired',
      lines: [
        {
          ...line,
          quantities: { ...line.quantities, approved: 1, missing: 1 },
          missing: [{ quantity: 1, cause: 'never_sent', granted: 0 }],
          amounts: { ...worth, maxRefundable: eur(0) },
        },
      ],
      decision: { overridden: false, overrides: [] },
      approvedAt: at.asked,
      expiredAt: at.decided,
    },
  },
});

export const reopen = adminCommand({
  path: '/returns/{returnId}/reopen',
  summary: 'Open a return again that was at its end',
  description:
    'What was open until the return was rejected, cancelled or expired is open again, to be decided on where it never was approved. Then the policy that is for the order judges the request anew, as of its own time: what it allows as a whole is approved at once, all else waits for somebody, who takes an override to approve what the policy denies. What was approved once keeps its terms and its decision.',
  params: ReturnPath,
  body: Reopening,
  answers: Return,
  refuses: [...commandErrorCodes, 'quantity_exceeds_returnable'],
  example: {
    body: { reason: 'It was rejected by mistake' },
    output: {
      ...requested,
      version: 3,
      rejection: { code: 'final_sale' },
      reopening: {},
      rejectedAt: at.asked,
      updatedAt: at.decided,
    },
  },
});

export const addNote = command({
  path: '/returns/{returnId}/notes',
  summary: 'Note something down about a return',
  description: 'For those who work on the return; the customer does not see it.',
  params: ReturnPath,
  body: NewNote,
  answers: Return,
  refuses: commandErrorCodes,
  example: {
    body: { text: 'She called and was friendly' },
    output: {
      ...requested,
      version: 2,
      notes: [{ id: noteId, at: at.decided, actor: { clientId: 'shop-backend' }, visibility: 'internal' }],
      updatedAt: at.decided,
    },
  },
});

export const addAttachment = command({
  path: '/returns/{returnId}/attachments',
  summary: 'Add evidence to a return, and learn where to upload it',
  description:
    'In any status, for the return or one of its lines, up to 100. The file itself goes to `upload.url`, by PUT and within 15 minutes, and is taken only with the type, the length and the digest that were announced; a repeat under the same Idempotency-Key gets a fresh address. Readers of the return find a link to it in `evidence`; whether the file came is seen there.',
  params: ReturnPath,
  body: NewAttachment,
  answers: AddedAttachment,
  success: [201],
  refuses: [...commandErrorCodes, 'return_line_not_found'],
  example: {
    body: file,
    output: {
      returnId,
      version: 2,
      attachment: { id: attachmentId, ...file, addedAt: at.decided },
      upload: {
        method: 'PUT',
        url: `https://evidence.s3.eu-central-1.amazonaws.com/pii/${returnId}/${attachmentId}?X-Amz-Signature=fe5f80f77d5fa3be`,
        headers: { 'content-type': file.contentType, 'x-amz-checksum-sha256': file.sha256 },
        expiresAt: '2026-11-21T09:45:00.000Z',
      },
    },
  },
});
