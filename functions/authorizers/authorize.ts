import { authorizeCaller } from '../../lib/edge/authorizer/authorize.ts';

export const handler = authorizeCaller();
