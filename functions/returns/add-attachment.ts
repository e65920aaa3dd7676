import { addAttachment } from '#backend';
import * as validators from '#validators/addAttachment';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.addAttachment, validators, addAttachment);
