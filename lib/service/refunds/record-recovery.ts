import { ulid } from 'ulid';
import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { recordRecovery as decide } from '../../returns/commands/money/record-recovery.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';

/** Records money that the customer gave back. */
export const recordRecovery = async (
  input: Input<'recordRecovery'>,
  call: Call,
): Promise<Result<Reply<Output<'recordRecovery'>>>> => {
  const id = `rcv_${ulid()}`;
  return command('recordRecovery', input, call, (situation) => decide(situation, input, id));
};
