import { describe, expect, it } from 'vitest';
import { identities } from '../../support/roles.ts';

describe('roles of functions that call operations in the standalone mode', () => {
  it('let each caller of listReturns sign the cursor of the next page', async () => {
    const secret = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns-standalone-SigningSecret';
    const signing = (await identities('standalone'))
      .filter(({ permissions }) => permissions.some(({ resource }) => resource.startsWith(secret)))
      .map((one) => one.function);
    const listing = ['listReturns', 'process', 'expireReturns', 'remindRefunds'];
    expect(signing).toEqual(expect.arrayContaining(listing));
  });
});
