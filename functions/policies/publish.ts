import { publish } from '#backend';
import * as validators from '#validators/publish';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.publish, validators, publish);
