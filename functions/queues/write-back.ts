import { getReturn, getWithdrawal, listReturns, recordRefundResult, updateReturn } from '#backend';
import { writeBack } from '../../lib/service/write-back/write-back.ts';
import { platformEffects } from '../../lib/shops/platforms/effects.ts';
import { withEffectTokens } from '../../lib/shops/platforms/shared/http/sources.ts';

const run = writeBack({ getReturn, getWithdrawal, listReturns, recordRefundResult, updateReturn }, platformEffects);

export const handler: typeof run = async (event, context) => withEffectTokens(async () => run(event, context));
