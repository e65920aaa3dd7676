import { lintDraft } from '#backend';
import * as validators from '#validators/lintDraft';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.lintDraft, validators, lintDraft);
