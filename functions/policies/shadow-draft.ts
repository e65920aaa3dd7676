import { shadowDraft } from '#backend';
import * as validators from '#validators/shadowDraft';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.shadowDraft, validators, shadowDraft);
