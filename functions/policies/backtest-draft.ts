import { backtestDraft } from '#backend';
import * as validators from '#validators/backtestDraft';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.backtestDraft, validators, backtestDraft);
