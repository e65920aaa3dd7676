import { useRef } from 'preact/hooks';
import { getVersion } from '../../../../contract/operations.ts';
import { useCall } from '../../../api/use-call.ts';
import { Resource } from '../../../components/resource.tsx';
import { toText } from '../document/document.ts';
import { JsonPane, showPart } from '../editor/json-pane.tsx';
import { RulesPane } from '../editor/rules-pane.tsx';
import { t } from './texts.ts';

const ignore = () => undefined;

/** The rules and the JSON of one version, for readers. */
export const VersionView = ({ policyId, version }: { policyId: string; version: number }) => {
  const json = useRef<HTMLTextAreaElement>(null);
  const loaded = useCall(getVersion, { policyId, version });
  return (
    <Resource of={loaded}>
      {({ document }) => (
        <section aria-label={t().rulesOf(version)}>
          <h2 class="version-title">{t().rulesOf(version)}</h2>
          <div class="policy-editor">
            <RulesPane
              document={document}
              findings={[]}
              canEdit={false}
              onChange={ignore}
              onShow={(pointer) => showPart(json.current, pointer)}
            />
            <JsonPane
              text={toText(document)}
              isValid
              faultLine={undefined}
              canEdit={false}
              element={json}
              onChange={ignore}
              onFormat={ignore}
            />
          </div>
        </section>
      )}
    </Resource>
  );
};
