import { rotateWebhookSecret } from '#backend';
import * as validators from '#validators/rotateWebhookSecret';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.rotateWebhookSecret, validators, rotateWebhookSecret);
