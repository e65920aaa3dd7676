import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { writeOffRecovery as decide } from '../../returns/commands/money/write-off-recovery.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Asks no more for what the customer has to give back. */
export const writeOffRecovery = async (
  input: Input<'writeOffRecovery'>,
  call: Call,
): Promise<Result<Reply<Output<'writeOffRecovery'>>>> => {
  const id = `rcv_${ulid()}`;
  return command('writeOffRecovery', input, call, (situation) => decide(situation, input, id));
};
