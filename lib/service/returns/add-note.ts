import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { addNote as decide } from '../../returns/commands/add-note.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { actorOf } from '../../execution/circumstances.ts';
import { command } from '../../execution/command.ts';
import { sealActor } from '../../personal/seal-actor.ts';
import { sealText } from '../../personal/seal-text.ts';

/** Notes something down about a return, for those who work on it. */
export const addNote = async (input: Input<'addNote'>, call: Call): Promise<Result<Reply<Output<'addNote'>>>> => {
  const { visibility = 'internal' } = input;
  const id = `note_${ulid()}`;
  const { seal, text } = sealText(id, input.text);
  return command(
    'addNote',
    input,
    call,
    (situation) => {
      const actor = sealActor(actorOf(call), situation.state.actorKey);
      return decide(situation, { id, actor, visibility, note: seal });
    },
    { texts: [text] },
  );
};
