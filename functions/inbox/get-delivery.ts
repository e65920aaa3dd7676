import { getDelivery } from '#backend';
import * as validators from '#validators/getDelivery';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getDelivery, validators, getDelivery);
