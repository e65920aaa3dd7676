import type { Output } from '../../../../contract/contract.ts';
import { hrefOf } from '../../../app/router.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { Badge, Time, type Tone } from '../../../components/basics.tsx';
import { Columns, TableWrap } from '../../../components/page-table.tsx';
import { common } from '../../../texts/common.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { t } from './texts.ts';
import { fieldText } from '../../../forms/field-texts.ts';

type Version = Output<'listVersions'>['items'][number];
type Policy = Output<'getPolicy'>;

const tones: Readonly<Record<Version['status'], Tone>> = {
  draft: 'warning',
  published: 'good',
  superseded: 'neutral',
  archived: 'neutral',
};

const Period = ({ of: { effectiveFrom, effectiveUntil } }: { of: Version }) => {
  const words = t();
  if (effectiveFrom === undefined) return <>{words.notYet}</>;
  return (
    <>
      {words.from} <Time at={effectiveFrom} />
      {effectiveUntil !== undefined && (
        <>
          {' '}
          {words.until} <Time at={effectiveUntil} />
        </>
      )}
    </>
  );
};

const Row = ({ of, policy }: { of: Version; policy: Policy }) => {
  const words = t();
  const { version, status, note, createdBy, publishedAt, publishedBy, shadowed } = of;
  return (
    <tr>
      <th scope="row" class="number">
        {version}
      </th>
      <td>
        <div class="row">
          <Badge tone={tones[status]}>{policyWord('state', status)}</Badge>
          {policy.inForce === version && <Badge tone="good">{words.deciding}</Badge>}
          {status === 'published' && policy.inForce !== version && <Badge>{words.later}</Badge>}
          {shadowed === true && <Badge tone="active">{words.shadowed}</Badge>}
        </div>
      </td>
      <td>
        <Period of={of} />
      </td>
      <td>{note}</td>
      <td>
        <ActorName actor={createdBy} byList />
      </td>
      <td>
        {publishedBy !== undefined && <ActorName actor={publishedBy} byList />}{' '}
        {publishedAt !== undefined && <Time at={publishedAt} />}
      </td>
      <td>
        <a href={hrefOf(`/policies/${of.policyId}?tab=versions&version=${version}`)}>
          {words.rules}
          <span class="visually-hidden"> {version}</span>
        </a>
        {version > 1 && (
          <a class="block" href={hrefOf(`/policies/${of.policyId}?tab=diff&from=${version - 1}&to=${version}`)}>
            {words.compare}
          </a>
        )}
      </td>
    </tr>
  );
};

/** The versions of a policy: state, period, and who made and published each. */
export const Versions = ({ policy, versions }: { policy: Policy; versions: readonly Version[] }) => {
  const words = t();
  return (
    <TableWrap label={words.versions} isSection>
      <Columns
        names={[
          `#${words.number}`,
          common().status,
          words.period,
          fieldText('note'),
          words.createdBy,
          words.publishedBy,
          '',
        ]}
      />
      <tbody>
        {versions.map((version) => (
          <Row key={version.version} of={version} policy={policy} />
        ))}
      </tbody>
    </TableWrap>
  );
};
