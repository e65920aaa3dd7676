import { hrefOf } from '../../app/router.ts';
import { Facts } from '../../components/basics.tsx';
import type { Entry } from '../../components/timeline.tsx';
import { t } from './texts.ts';
import { Value } from './values.tsx';

const PolicyLink = ({ version }: { version: string }) => {
  const [policyId = '', number = ''] = version.split('/');
  return <a href={hrefOf(`/policies/${policyId}?tab=versions&version=${number}`)}>{version}</a>;
};

/** The data of an entry, and what proves that nobody changed it. */
export const Proof = ({ of }: { of: Entry }) => {
  const words = t();
  return (
    <div class="proof">
      <div>
        <h3>
          {words.data} <code class="fine">{of.type}</code>
        </h3>
        <Value field="" value={of.data} />
        <p class="fine">{words.digest}</p>
      </div>
      <Facts
        rows={[
          [words.policy, of.policyVersion === null ? undefined : <PolicyLink version={of.policyVersion} />],
          [words.cause, <code>{of.causationId}</code>],
          [words.correlation, <code>{of.correlationId}</code>],
          [words.hash, <code>{of.hash}</code>],
          [words.previous, <code>{of.previousHash}</code>],
          [words.mac, of.mac === undefined ? words.noMac : <code>{of.mac.key}</code>],
        ]}
      />
    </div>
  );
};
