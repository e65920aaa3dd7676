import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { inspect as decide } from '../../returns/commands/goods/inspect.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealNote } from '../../personal/seal-text.ts';

/** Accepts or refuses units that came, and says what becomes of unexpected items. */
export const inspect = async (input: Input<'inspect'>, call: Call): Promise<Result<Reply<Output<'inspect'>>>> => {
  const { lines = [], unexpected = [] } = input;
  const found = lines.map(({ note, ...line }) => {
    const id = `ins_${ulid()}`;
    return sealNote({ id, ...line }, `inspection/${id}`, note);
  });
  // Its receipt may have left it a note already, under its own id.
  const disposed = unexpected.map(({ note, ...item }) => sealNote(item, `disposition/${item.id}`, note));
  const report = {
    lines: found.map(({ carrier }) => carrier),
    unexpected: disposed.map(({ carrier }) => carrier),
  };
  const texts = [...found, ...disposed].flatMap((sealed) => sealed.texts);
  return command('inspect', input, call, (situation) => decide(situation, report), { texts });
};
