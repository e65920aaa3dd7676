import type { Input, Output } from '../../../contract/contract.ts';
import { ifMatchHolds } from '../../../contract/if-match.ts';
import { basePath } from '../../../contract/operation.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { planCommand, type PreparedCommand } from '../../execution/command.ts';
import { execute, type Plan } from '../../execution/execute.ts';
import { restoreReply, returnResponse, type CommandResponse } from '../../execution/return-response.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import { duplicateReturn, returnNotFound, versionMismatch } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import {
  addAttachment as decideAttachment,
  updateReturn as decideUpdate,
} from '../../../domain/returns/commands/annotations.ts';
import { appendEntries } from '../../../domain/returns/history/history.ts';
import { writeChangedReturn } from '../../execution/write-changed-return.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import { withCurrentWorth } from '../../../domain/returns/money/revalue.ts';
import { allowedActions } from '../../../domain/returns/rules/allowed-actions.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import { readKnownOrder } from '../../../store/orders/orders.ts';
import { evidenceKey, createUpload } from '../../../store/personal/evidence.ts';
import type { Session } from '../../../store/engine/session.ts';
import { findByExternalRefs, writeMarkerChanges, readReturn } from '../../../store/returns/returns.ts';

/** The stored response. The upload URL is not stored, because it expires before most repeats. */
type StoredBody = Omit<Output<'addAttachment'>, 'upload'> & { readonly key: string };

const attachmentResponse =
  (attachmentId: string) =>
  (state: Return): CommandResponse<StoredBody> => {
    const attachment = state.evidence.find(({ id }) => id === attachmentId);
    if (attachment === undefined) throw new Error(`return ${state.id} has no attachment ${attachmentId}`);
    const body = { returnId: state.id, version: state.version, attachment, key: evidenceKey(state, attachmentId) };
    return { reply: { status: 201, body, version: state.version, location: `${basePath}/returns/${state.id}` } };
  };

/** Adds evidence to a return, and returns the upload URL. A dry run returns no URL. */
export const addAttachment = async (
  input: Input<'addAttachment'>,
  call: Call,
): Promise<Result<Reply<Output<'addAttachment'>>>> => {
  const { returnId: _, ...file } = input;
  const id = `att_${newUlid()}`;
  const command: PreparedCommand = { decide: (situation) => decideAttachment(situation, { id, ...file }) };
  const answer = await execute(
    'addAttachment',
    input,
    call,
    (session) => planCommand(session, input, call, command, attachmentResponse(id)),
    restoreReply,
  );
  if (!answer.ok) return answer;
  const { key, ...body } = answer.value.body;
  if (call.dryRun) return ok({ ...answer.value, body });
  return ok({ ...answer.value, body: { ...body, upload: await createUpload(key, body.attachment, Date.now()) } });
};

const planUpdate = async (
  session: Session,
  { returnId, ...patch }: Input<'updateReturn'>,
  call: Call,
): Promise<Result<Plan<Output<'updateReturn'>>>> => {
  const [state, duplicate, key] = await Promise.all([
    readReturn(session, returnId),
    findByExternalRefs(session, patch.externalRefs ?? [], returnId),
    currentKey(session),
  ]);
  if (state === undefined) return fail(returnNotFound);
  if (!ifMatchHolds(call.ifMatch, state.version)) return fail(versionMismatch(state.version));
  if (duplicate !== undefined) return fail(duplicateReturn(duplicate));
  const metadata = eventMetadata(call, state, null);
  const decision = decideUpdate(state, patch, metadata.at);
  if (!decision.ok) return fail(decision.failure);
  const [first, ...others] = decision.value;
  const { order, ledger } = await readKnownOrder(session, state.order);
  const shown = (changed: Return) => {
    const { state: current } = withCurrentWorth(changed, order, ledger);
    return returnResponse(current, allowedActions({ state: current, order, ledger, now: metadata.at }));
  };
  if (first === undefined) return ok({ ...shown(state), writes: [] });
  const next = appendEntries(state, [first, ...others], metadata);
  return ok({
    ...shown(next.state),
    writes: [...writeChangedReturn(next, state, key, call), ...writeMarkerChanges(state, next.state)],
  });
};

/** Changes tags, metadata, external references and exchanges at the shop. A patch without changes adds no entry. */
export const updateReturn = async (
  input: Input<'updateReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'updateReturn'>>>> =>
  execute('updateReturn', input, call, (session) => planUpdate(session, input, call), restoreReply);
