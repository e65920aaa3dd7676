import { describe, expect, it } from 'vitest';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { covers } from '../../../lib/tools/local/emulators/policy.ts';
import { identities, isLogging } from '../../support/roles.ts';

const functionArn = (name: string) => `arn:aws:lambda:eu-central-1:000000000000:function:returns-dev-${name}:live`;

describe.each(modes)('role of the page for withdrawals in the %s mode', (mode) => {
  it('lets the public function invoke two operations and read its key, and nothing else', async () => {
    const all = await identities(mode);
    const permissions = all
      .filter((one) => one.function === 'withdraw')
      .flatMap((one) => one.permissions)
      .filter((one) => !isLogging(one));
    expect(permissions.map(({ action, resource }) => [action, resource])).toEqual([
      ['lambda:InvokeFunction', functionArn('declareWithdrawal')],
      ['lambda:InvokeFunction', functionArn('getWithdrawalReceipt')],
      ['secretsmanager:GetSecretValue', expect.stringMatching(/:secret:returns-[a-z]+-WithdrawKey-\w{6}$/)],
    ]);
    const key = { action: 'secretsmanager:GetSecretValue', resource: permissions.at(-1)?.resource ?? '' };
    const readers = all.filter((one) => one.permissions.some((own) => covers(own, key)));
    expect(readers.map((one) => one.function).toSorted()).toEqual(
      mode === 'standalone' ? ['rotateKeys', 'withdraw'] : ['withdraw'],
    );
  });
});
