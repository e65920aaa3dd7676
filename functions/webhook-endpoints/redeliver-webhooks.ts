import { redeliverWebhooks } from '#backend';
import * as validators from '#validators/redeliverWebhooks';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.redeliverWebhooks, validators, redeliverWebhooks);
