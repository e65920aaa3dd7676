import { Facts, Section } from '../../components/basics.tsx';
import { may } from '../../session/session.ts';
import { label } from '../../texts/labels.ts';
import { useScreen } from './context.ts';
import { prefillOf } from './prefill.ts';
import { t } from './texts.ts';

/** The shop's own tags, values and ids. */
export const About = () => {
  const { value, open } = useScreen();
  const edit = () =>
    open({ name: 'updateReturn', title: label('action', 'updateReturn'), initial: prefillOf('updateReturn', value) });
  return (
    <Section
      title={t().about}
      actions={
        may('returns:write') && (
          <button type="button" class="small" onClick={edit}>
            {t().edit}
          </button>
        )
      }
    >
      <Facts
        rows={[
          [t().tags, value.tags.join(', ') || t().none],
          ...Object.entries(value.metadata),
          ...value.externalRefs.map(({ platform, id }) => [platform, <code key={id}>{id}</code>] as const),
        ]}
      />
    </Section>
  );
};
