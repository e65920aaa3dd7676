import { language } from '../../../texts/language.ts';
import { portugueseFinding, type ShownFinding } from './portuguese-finding.ts';

/** Says what lint found, and where, in the language of the person. */
export const FindingLine = ({ of, place = '' }: { of: ShownFinding; place?: string }) => {
  const text = language.value === 'en' ? of.message : portugueseFinding(of);
  return (
    <span class={of.severity === 'error' ? 'field-error' : 'field-warning'}>
      {place !== '' && <code>{place}</code>} {text ?? <span lang="en">{of.message}</span>}
    </span>
  );
};
