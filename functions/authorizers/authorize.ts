import { authorizeCaller } from '../../lib/authorizer/authorize.ts';

export const handler = authorizeCaller();
