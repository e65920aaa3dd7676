/* The port's side that forwards every operation to the Returns Service. */
import * as operations from '../contract/operations.ts';
import type { Input } from '../contract/schemas.ts';
import { forward } from './connected/forward.ts';
import type { Call } from './port.ts';

export const registerOrder = async (input: Input<'registerOrder'>, call: Call) =>
  forward(operations.registerOrder, input, call);

export const getOrder = async (input: Input<'getOrder'>, call: Call) => forward(operations.getOrder, input, call);

export const getReturnable = async (input: Input<'getReturnable'>, call: Call) =>
  forward(operations.getReturnable, input, call);

export const createReturn = async (input: Input<'createReturn'>, call: Call) =>
  forward(operations.createReturn, input, call);

export const getReturn = async (input: Input<'getReturn'>, call: Call) => forward(operations.getReturn, input, call);

export const approve = async (input: Input<'approve'>, call: Call) => forward(operations.approve, input, call);

export const reject = async (input: Input<'reject'>, call: Call) => forward(operations.reject, input, call);

export const getHistory = async (input: Input<'getHistory'>, call: Call) => forward(operations.getHistory, input, call);
