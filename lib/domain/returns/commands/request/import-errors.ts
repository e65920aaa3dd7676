import type { Instant } from '../../model/order.ts';
import type { FieldError, Status } from '../../model/status.ts';
import type { RecordRefund } from '../money/record-refund-result.ts';
import type { CreateReturn } from './decide-request.ts';

/** The statuses of another system that this service can store and continue. Others need parcels or inspections. */
type ImportedStatus = Extract<
  Status,
  'requested' | 'approved' | 'received' | 'completed' | 'rejected' | 'cancelled' | 'expired'
>;

/** A return as another system states it. Its free texts are personal-text references. */
export type ImportReturn = {
  readonly source: string;
  readonly externalId: string;
  readonly status: ImportedStatus;
  readonly requestedAt: Instant;
  readonly decidedAt?: Instant;
  readonly receivedAt?: Instant;
  readonly endedAt?: Instant;
  readonly request: CreateReturn;
  /** The units of each line that came back, and those that the customer keeps. */
  readonly units: readonly { readonly received?: number; readonly kept?: number }[];
  readonly refund?: RecordRefund;
};

const arrived: ReadonlySet<ImportedStatus> = new Set(['received', 'completed']);
const refunded: ReadonlySet<ImportedStatus> = new Set(['approved', 'received', 'completed']);

/** Moves the errors of a part of the import to the place of the part. */
export const underPath = <Failed extends { readonly errors?: readonly FieldError[] } | object>(
  path: string,
  failure: Failed,
): Failed =>
  'errors' in failure && failure.errors !== undefined
    ? { ...failure, errors: failure.errors.map((error) => ({ ...error, path: `${path}${error.path}` })) }
    : failure;

/** Lists times that are before the one that they follow, or in the future. */
const timeErrors = (command: ImportReturn, latest: Instant): FieldError[] => {
  let [before, field] = [command.requestedAt, 'requestedAt'];
  const errors: FieldError[] = [];
  for (const name of ['requestedAt', 'decidedAt', 'receivedAt', 'endedAt'] as const) {
    const at = command[name] ?? before;
    const path = `/${name}`;
    if (at > latest) errors.push({ path, code: 'maximum', message: 'must not be in the future' });
    if (at < before) errors.push({ path, code: 'minimum', message: `must not be before ${field}` });
    else [before, field] = command[name] === undefined ? [before, field] : [at, name];
  }
  return errors;
};

/** Lists units that the status excludes, and more units than the line has. */
const unitErrors = ({ status, units, request }: ImportReturn): FieldError[] =>
  request.lines.flatMap(({ quantity }, index) => {
    const { received = 0, kept = 0 } = units[index] ?? {};
    const path = `/lines/${index}`;
    if (received > 0 && !arrived.has(status))
      return [{ path: `${path}/received`, code: 'maximum', message: `must be absent with the status ${status}` }];
    if (kept > 0 && !refunded.has(status))
      return [{ path: `${path}/kept`, code: 'maximum', message: `must be absent with the status ${status}` }];
    return received + kept > quantity
      ? [
          {
            path: `${path}/received`,
            code: 'maximum',
            message: `must be at most ${quantity - Math.min(kept, quantity)}`,
          },
        ]
      : [];
  });

const refundErrors = ({ status, refund }: ImportReturn): FieldError[] =>
  refund === undefined || refunded.has(status)
    ? []
    : [{ path: '/refund', code: 'unexpected', message: `must be absent with the status ${status}` }];

/** Lists what contradicts itself in a return of another system: times, units, and a refund that its status excludes. */
export const importErrors = (command: ImportReturn, latest: Instant): readonly FieldError[] => [
  ...timeErrors(command, latest),
  ...unitErrors(command),
  ...refundErrors(command),
];
