import { ulid } from 'ulid';
import type { Input, Output } from '../../contract/contract.ts';
import { basePath } from '../../contract/operation.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { CommandResponse } from '../../execution/return-response.ts';
import { runCommand } from '../../execution/command.ts';
import { addAttachment as decide } from '../../returns/commands/annotations.ts';
import type { Return } from '../../returns/model/return.ts';
import { evidenceKey, createUpload } from '../../store/personal/evidence.ts';

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
  const id = `att_${ulid()}`;
  const answer = await runCommand(
    'addAttachment',
    input,
    call,
    { decide: (situation) => decide(situation, { id, ...file }) },
    attachmentResponse(id),
  );
  if (!answer.ok) return answer;
  const { key, ...body } = answer.value.body;
  if (call.dryRun) return ok({ ...answer.value, body });
  return ok({ ...answer.value, body: { ...body, upload: await createUpload(key, body.attachment, Date.now()) } });
};
