import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { recordRefundResult as decide } from '../../returns/commands/money/record-refund-result.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { latestFact } from '../../execution/latest-fact.ts';

/** Records what became of a refund. */
export const recordRefundResult = async (
  input: Input<'recordRefundResult'>,
  call: Call,
): Promise<Result<Reply<Output<'recordRefundResult'>>>> => {
  const { returnId: _, observed: __, occurredAt, ...told } = input;
  const result = { ...told, ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt).toISOString() }) };
  return command('recordRefundResult', input, call, (situation) =>
    decide(situation, result, latestFact(new Date(situation.now))),
  );
};
