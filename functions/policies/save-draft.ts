import { saveDraft } from '#backend';
import * as validators from '#validators/saveDraft';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.saveDraft, validators, saveDraft);
