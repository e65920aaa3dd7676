import { getPolicy } from '../../contract/operations.ts';
import { useCall } from '../api/use-call.ts';
import { hrefOf } from '../app/router.ts';
import { fill } from '../texts/fill.ts';
import { t } from './texts.ts';

/**
 * Links to a version of a policy, with the name of the policy.
 *
 * @param of the version, such as `pol_1/2`
 */
export const PolicyLink = ({ of }: { of: string }) => {
  const [policyId = '', version = ''] = of.split('/');
  const name = useCall(getPolicy, { policyId }).value?.name ?? policyId;
  return (
    <a href={hrefOf(`/policies/${policyId}?tab=versions&version=${version}`)}>
      {fill(t().policyVersion, { name, version })}
    </a>
  );
};
