import { updateParcel } from '#backend';
import * as validators from '#validators/updateParcel';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.updateParcel, validators, updateParcel);
