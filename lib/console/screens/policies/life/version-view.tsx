import { getVersion } from '../../../../contract/operations.ts';
import { useCall } from '../../../api/use-call.ts';
import { Resource } from '../../../components/resource.tsx';
import { toText } from '../document/document.ts';
import { RulesAndJson } from '../editor/rules-and-json.tsx';
import { t } from './texts.ts';
import { fill } from '../../../texts/fill.ts';

const ignore = () => undefined;

/** The rules and the JSON of one version, for readers. */
export const VersionView = ({ policyId, version }: { policyId: string; version: number }) => {
  const loaded = useCall(getVersion, { policyId, version });
  return (
    <Resource of={loaded}>
      {({ document }) => (
        <section aria-label={fill(t().rulesOf, { version })}>
          <h2 class="version-title">{fill(t().rulesOf, { version })}</h2>
          <RulesAndJson
            document={document}
            text={toText(document)}
            isValid
            findings={[]}
            canEdit={false}
            onDocument={ignore}
            onText={ignore}
          />
        </section>
      )}
    </Resource>
  );
};
