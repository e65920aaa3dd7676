import type { Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { approve as decide } from '../../returns/approve.ts';
import type { Call, Reply } from '../port.ts';
import { command } from './command.ts';

/** Approves a requested return, in whole or by quantities per line. */
export const approve = async (input: Input<'approve'>, call: Call): Promise<Result<Reply<Output<'approve'>>>> =>
  command('approve', input, call, (situation) => decide(situation, input));
