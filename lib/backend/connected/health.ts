import type { Input, Output } from '../../contract/contract.ts';
import { health as operation } from '../../contract/operations.ts';
import { type Call, type Reply, withShortDeadline } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { forward } from '../forward.ts';

/** Whether the Returns Service can serve returns. */
export const health = async (input: Input<'health'>, call: Call): Promise<Result<Reply<Output<'health'>>>> =>
  forward(operation, input, withShortDeadline(call));
