import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { receive as decide } from '../../returns/commands/goods/receive.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { sealNote } from '../../personal/seal-text.ts';

const newId = () => `unx_${ulid()}`;

/** Books what came of a return, and what came beside it. */
export const receive = async (input: Input<'receive'>, call: Call): Promise<Result<Reply<Output<'receive'>>>> => {
  const { parcelId, lines, unexpected } = input;
  const sealed = unexpected?.map(({ note, ...item }) => {
    const id = newId();
    return sealNote({ id, ...item }, `unexpected/${id}`, note);
  });
  const came = {
    ...(parcelId === undefined ? {} : { parcelId }),
    ...(lines === undefined ? {} : { lines }),
    ...(sealed === undefined ? {} : { unexpected: sealed.map(({ carrier }) => carrier) }),
  };
  return command('receive', input, call, (situation) => decide(situation, came, situation.state.lines.map(newId)), {
    texts: sealed?.flatMap(({ texts }) => texts) ?? [],
  });
};
