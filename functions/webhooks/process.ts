import { createReturn, registerOrder } from '#backend';
import * as createValidators from '#validators/createReturn';
import * as registerValidators from '#validators/registerOrder';
import * as operations from '../../lib/contract/operations.ts';
import { checked } from '../../lib/http/checked.ts';
import { processInbox } from '../../lib/inbox/process.ts';
import { translator as shopify } from '../../lib/platforms/shopify.ts';

const backend = {
  registerOrder: checked(operations.registerOrder, registerValidators, registerOrder),
  createReturn: checked(operations.createReturn, createValidators, createReturn),
};

export const handler = processInbox(backend, { shopify });
