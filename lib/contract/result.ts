import type { AllowedAction } from './returns/return.ts';
import type { ErrorCode, FieldError } from './errors.ts';
import type { Result as GenericResult } from '../runtime/result.ts';
import type Type from 'typebox';

/** An expected "no": one of the contract's codes with its evidence. Never a secret, a token or personal data. */
export type Failure = {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** What could be done instead, on a state conflict. */
  readonly allowedActions?: readonly Type.Static<typeof AllowedAction>[];
  /** The return that a duplicate meets. */
  readonly returnId?: string;
  readonly retryAfterSeconds?: number;
};

/** The result of an operation of the contract. */
export type Result<Value> = GenericResult<Value, Failure>;
