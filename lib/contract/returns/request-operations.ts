import { adminCommand, command } from '../entry.ts';
import {
  accepted,
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
  user,
  worth,
  worthOfTwo,
} from '../example-story.ts';
import {
  Amendment,
  Approval,
  Assignment,
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

/* Commands that decide on a return and end it. */

export const approve = command({
  path: '/returns/{returnId}/approve',
  summary: 'Approve a return in whole or in part',
  description:
    'The return is `requested` or `info_requested`.\n\nWithout `lines`, all units are approved. With `lines`, name each line of the return once. Units that are not approved are rejected, and another return can take them.\n\n- A line that does not qualify by the policy fails with `not_eligible`. To approve it, send `override.reason` in its entry of `lines`. An override needs returns:admin.\n- A line whose reason requires evidence needs an attachment, of the line or of the whole return. An override replaces it.\n- Units that a law protects are rejected only with `floorOverride`, which needs returns:admin.',
  tool: { use: 'Use it when the decision and the evidence support the return.' },
  params: ReturnPath,
  body: Approval,
  answers: Return,
  errors: [
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
  summary: 'Reject a return',
  description:
    'The return is `requested` or `info_requested`.\n\nThe whole return is rejected, and another return can take its units.\n\nUnits that a law protects are rejected only with `floorOverride`. It needs returns:admin and is recorded as a discrepancy.',
  tool: { use: 'Use it only when a policy or a person has decided so.', confirmedByPerson: true },
  params: ReturnPath,
  body: RejectionRequest,
  answers: Return,
  errors: [...commandErrorCodes, 'statutory_floor_violation', 'override_requires_admin'],
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

export const amendReturn = command({
  path: '/returns/{returnId}/amendment',
  summary: 'Add units to a return',
  description:
    'The return waits for its decision, or it is approved and has not ended. The units can still be returned.\n\nThe terms of the return stay. They are raised only where a law protects an added unit. The policy for the order judges the added units alone, and `lines[].decisionId` names its decision. While the return waits for its decision, the units join it. On an approved return they are approved at once: the status then follows from the goods, and the deadlines stay.\n\n- On an approved return, units that the policy does not simply allow fail with `not_eligible`. To add them, send `override.reason` in their entry. An override needs returns:admin.\n- On an approved return, a reason that requires evidence needs an attachment of the whole return, or an override.\n- `unexpected` needs an approved return.\n- A return has up to 200 lines.',
  params: ReturnPath,
  body: Amendment,
  answers: Return,
  errors: [
    ...commandErrorCodes,
    'order_line_not_found',
    'return_line_not_found',
    'unexpected_not_found',
    'quantity_exceeds_returnable',
    'reason_unknown',
    'resolution_not_allowed',
    'not_eligible',
    'evidence_required',
    'override_requires_admin',
  ],
  example: {
    body: { raise: [{ lineId, quantity: 1 }] },
    output: {
      ...requested,
      version: 2,
      lines: [{ ...line, quantities: { ...line.quantities, requested: 2 }, amounts: worthOfTwo }],
      updatedAt: at.decided,
    },
  },
});

export const requestInfo = command({
  path: '/returns/{returnId}/request-info',
  summary: 'Ask the customer for information',
  description:
    'The return is `requested`.\n\nThe return waits for the answer in `info_requested`. Its deadlines continue: the deadlines of a statutory withdrawal run from the request.',
  tool: { use: 'Use it when a fact is missing that the decision needs.' },
  params: ReturnPath,
  body: Question,
  answers: Return,
  errors: commandErrorCodes,
  example: {
    body: { message: 'Has it been worn?' },
    output: {
      ...requested,
      ...decided,
      status: 'info_requested',
      ...(requested.allowedActions && { allowedActions: requested.allowedActions }),
      messages: [{ id: noteId, direction: 'asked', at: at.decided }],
      infoRequestedAt: at.decided,
    },
  },
});

export const provideInfo = command({
  path: '/returns/{returnId}/provide-info',
  summary: 'Record an answer of the customer',
  description:
    'The return is `info_requested`.\n\nThe answer is a message, evidence that was attached before, or both. The return is `requested` again and waits for its decision.',
  params: ReturnPath,
  body: InfoAnswer,
  answers: Return,
  errors: [...commandErrorCodes, 'attachment_not_found'],
  example: {
    body: { message: 'Only tried on' },
    output: {
      ...requested,
      version: 3,
      messages: [
        { id: noteId, direction: 'asked', at: at.requested },
        { id: 'note_01KAJ45T0N6P2R8S4V1W3X5Y7Z', direction: 'answered', at: at.decided },
      ],
      infoRequestedAt: at.requested,
      updatedAt: at.decided,
    },
  },
});

export const complete = command({
  path: '/returns/{returnId}/complete',
  summary: 'Complete a return',
  description:
    'The return is `approved` or `inspected`. No units are left to receive, to inspect or to send back. No money is left to pay or to recover.\n\n`waive.reason` waives money that the customer is owed and does not get. Where a law protects the goods, the waiver also needs `floorOverride` and returns:admin. The completion waives the open part of all fees.',
  tool: { use: 'Use it when nothing is open any more.' },
  params: ReturnPath,
  body: Completion,
  answers: Return,
  errors: [...commandErrorCodes, 'statutory_floor_violation', 'override_requires_admin'],
  example: {
    body: { waive: { reason: 'The customer wants no money' } },
    output: {
      ...accepted,
      version: 8,
      status: 'completed',
      refundStatus: 'none',
      waiver: {},
      decision: { overridden: false, overrides: [] },
      completedAt: at.came,
    },
  },
});

export const cancel = command({
  path: '/returns/{returnId}/cancel',
  summary: 'Cancel a return or some units',
  description:
    'The units have not come back. Once goods are in transit, the command needs returns:admin. A return with a refund or an ordered exchange cannot be cancelled.\n\nWithout `lines`, all units that have not come back are cancelled. With `lines`, the given units of each line are cancelled.',
  tool: { use: 'Use it when the customer keeps the goods.' },
  params: ReturnPath,
  body: Cancellation,
  answers: Return,
  errors: [...commandErrorCodes, 'return_line_not_found'],
  example: {
    body: { code: 'changed_mind' },
    output: {
      ...requested,
      ...decided,
      version: 3,
      status: 'cancelled',
      lines: [{ ...line, quantities: { ...line.quantities, approved: 1, cancelled: 1 }, amounts: nothing }],
    },
  },
});

export const expire = command({
  path: '/returns/{returnId}/expire',
  summary: 'Expire a return',
  description:
    'The return is `info_requested` or `approved`. Its deadline to answer or to send the goods has passed. Before the deadline, or without a deadline, the command needs returns:admin.\n\nOutstanding units become missing, and undecided units are rejected. Another return can take all of them.\n\nUndecided units that a law protects do not expire. Approve them, or reject them with an override.',
  params: ReturnPath,
  answers: Return,
  errors: [...commandErrorCodes, 'statutory_floor_violation'],
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
      approvedAt: at.requested,
      expiredAt: at.decided,
    },
  },
});

export const reopen = adminCommand({
  path: '/returns/{returnId}/reopen',
  summary: 'Reopen an ended return',
  description:
    'The return is `completed`, `rejected`, `cancelled` or `expired`. No other return has taken its units.\n\nUnits that were open before the rejection, cancellation or expiry are open again. A return that was approved before keeps its terms and its decision. Any other return waits for a decision again.\n\nIf the return was never approved, the policy for the order evaluates the request again, as of its original time. If the policy allows the whole return and no evidence is missing, it is approved at once. Otherwise it waits for a decision by staff. To approve a line that the policy denies, send an override.',
  params: ReturnPath,
  body: Reopening,
  answers: Return,
  errors: [...commandErrorCodes, 'quantity_exceeds_returnable'],
  example: {
    body: { reason: 'It was rejected by mistake' },
    output: {
      ...requested,
      version: 3,
      rejection: { code: 'final_sale' },
      reopening: {},
      rejectedAt: at.requested,
      updatedAt: at.decided,
    },
  },
});

export const assignReturn = command({
  path: '/returns/{returnId}/assignee',
  summary: 'Assign a return to a user',
  description:
    'The return is in any status.\n\nThe user is responsible for the work on the return. `me` is the signed-in user of the call, and `null` removes the assignee. Other users need an id of `listUsers`. The history records each change.',
  params: ReturnPath,
  body: Assignment,
  answers: Return,
  errors: [...commandErrorCodes, 'user_not_found'],
  example: {
    body: { userId: user.userId },
    output: { ...requested, version: 2, assignee: { id: user.userId }, updatedAt: at.decided },
  },
});

export const addNote = command({
  path: '/returns/{returnId}/notes',
  summary: 'Add a note to a return',
  description: 'The note is for staff. The customer does not see it.',
  tool: { use: 'Use it for a remark that only staff reads.' },
  params: ReturnPath,
  body: NewNote,
  answers: Return,
  errors: commandErrorCodes,
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
  summary: 'Add evidence to a return',
  description:
    'The evidence belongs to the return or to one of its lines. The status of the return does not matter. A return has up to 100 attachments.\n\nSend the file to `upload.url` by PUT within 15 minutes. The URL accepts only a file with the announced type, length and digest. Readers of the return find a link to the file in `evidence`. The link shows whether the file was uploaded.\n\nA repeat with the same Idempotency-Key returns a new upload URL.',
  params: ReturnPath,
  body: NewAttachment,
  answers: AddedAttachment,
  success: [201],
  errors: [...commandErrorCodes, 'return_line_not_found'],
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
