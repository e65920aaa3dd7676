import type { Input } from '../../../contract/contract.ts';
import type { TextReference } from '../../../domain/returns/model/actor.ts';
import type { Reason } from '../../../domain/returns/model/return.ts';
import type { SaltedText } from '../../../store/personal/personal.ts';
import { createTextReference } from '../../../store/personal/text-references.ts';

type RequestedReason = Input<'createReturn'>['lines'][number]['reason'];
type ReasonSource = NonNullable<RequestedReason['source']>;

/** Replaces the label of a platform reason by a personal-text reference. */
const sourceWithTextRef = ({ label, ...source }: ReasonSource, separateTexts: (label: string) => TextReference) =>
  label === undefined ? source : { ...source, label: separateTexts(label) };

/** Replaces the notes of the reasons of lines by their references. The texts are stored with the return. */
export const referenceReasonTexts = <Line extends { readonly reason: RequestedReason }>(
  lines: readonly Line[],
  lineIds: readonly string[],
): {
  readonly lines: readonly (Omit<Line, 'reason'> & { readonly reason: Reason })[];
  readonly texts: readonly SaltedText[];
} => {
  const texts: SaltedText[] = [];
  const sealed = (ref: string, text: string): TextReference => {
    const { seal, text: stored } = createTextReference(ref, text);
    texts.push(stored);
    return seal;
  };
  const referenced = lines.map(({ reason: { note, source, ...reason }, ...line }, index) => {
    const ref = lineIds[index] ?? '';
    return {
      ...line,
      reason: {
        ...reason,
        ...(note === undefined ? {} : { note: sealed(ref, note) }),
        // A shop may let its customers write the label.
        ...(source === undefined
          ? {}
          : { source: sourceWithTextRef(source, (label) => sealed(`${ref}/source`, label)) }),
      },
    };
  });
  return { lines: referenced, texts };
};
