import { addParcel } from '#backend';
import * as validators from '#validators/addParcel';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.addParcel, validators, addParcel);
