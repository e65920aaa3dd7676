import type { Output } from '../../../contract/contract.ts';
import { Section, Time } from '../../components/basics.tsx';
import { CheckedLink } from '../../components/checked-link.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { t } from './texts.ts';

/** The body as the shop sent it: text, other bytes in base64, or a link to a large one. */
export const Body = ({ body, name }: { body: Output<'getInboxDelivery'>['body']; name: string }) => {
  const texts = t();
  if ('url' in body)
    return (
      <Section title={texts.body}>
        <p>{texts.linked}</p>
        <p>
          <CheckedLink url={body.url}>{texts.openBody}</CheckedLink>
        </p>
        <p class="fine">
          {texts.validUntil} <Time at={body.expiresAt} />
        </p>
      </Section>
    );
  return (
    <Section title={texts.body}>
      {body.encoding === 'base64' && <p class="fine">{texts.base64}</p>}
      <RawText text={body.content} name={name} />
    </Section>
  );
};
