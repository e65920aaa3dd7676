import { eraseCustomer } from '#backend';
import * as validators from '#validators/eraseCustomer';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.eraseCustomer, validators, eraseCustomer);
