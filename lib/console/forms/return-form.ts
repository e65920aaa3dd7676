import type { OperationName } from '../../contract/contract.ts';
import { isRecord } from '../api/record.ts';
import { formatTime } from '../texts/format.ts';
import type { Choice, LineChoice } from './form-context.ts';
import { possibleUnits, type Return } from '../api/line-units.ts';
import { codeText } from './value-texts.ts';

/* What a form of a command on a return offers: the lines, and the ids that its fields may name. */

/** Whether a resource is a return. */
export const isReturn = (value: unknown): value is Return =>
  isRecord(value) && typeof value['rmaNumber'] === 'string' && Array.isArray(value['parcels']);

/** The titles of lines by their ids. Without one, a line has its SKU. */
export type Titles = Readonly<Record<string, string>>;

export const lineTitle = ({ lineId, sku, orderLineId }: Return['lines'][number], titles: Titles = {}): string =>
  titles[lineId] ?? sku ?? orderLineId;

/** The lines of a return, with the units that the command can take. */
export const linesOfReturn = (operation: OperationName, of: Return, titles?: Titles): readonly LineChoice[] =>
  of.lines.map((line) => {
    const possible = possibleUnits(operation, line, of);
    return { id: line.lineId, title: lineTitle(line, titles), ...(possible !== undefined && { possible }) };
  });

type Choices = Readonly<Record<string, readonly Choice[]>>;

const parcelChoices = ({ parcels }: Return): readonly Choice[] =>
  parcels
    .filter(({ direction }) => direction === 'inbound')
    .map((parcel, index) => ({
      value: parcel.parcelId,
      text: [index + 1, parcel.carrier, parcel.trackingNumber, codeText('status', parcel.status)]
        .filter((part) => part !== undefined)
        .join(' · '),
    }));

const evidenceChoices = ({ evidence = [], lines }: Return): readonly Choice[] =>
  [...evidence, ...lines.flatMap((line) => line.evidence ?? [])].map(({ id, contentType, addedAt }) => ({
    value: id,
    text: `${contentType} · ${formatTime(addedAt)}`,
  }));

/** The ids of a return that the fields of a command may name. */
export const choicesOfReturn = (operation: OperationName, of: Return, titles?: Titles): Choices => ({
  lineId: of.lines.map((line) => ({ value: line.lineId, text: lineTitle(line, titles) })),
  ...(operation === 'receive' && { parcelId: parcelChoices(of) }),
  ...(operation === 'provideInfo' && { evidence: evidenceChoices(of) }),
  ...((operation === 'inspect' || operation === 'amendReturn') && {
    id: of.unexpected.map(({ id, sku, quantity }) => ({ value: id, text: `${quantity} × ${sku ?? '?'}` })),
  }),
});
