import type { CommandMapping, OfferableName, ReadMapping } from '../../lib/adapters/adapter.ts';
import { offerCommand } from '../../lib/adapters/command.ts';
import type { CoreShape } from '../../lib/adapters/fit-core.ts';
import { path } from '../../lib/adapters/path.ts';
import { offerRead } from '../../lib/adapters/run.ts';
import { approve, getReturn } from '../../lib/contract/operations.ts';
import type { Call } from '../../lib/contract/port.ts';

/* A small adapter. Tests put a service at the wire behind it. */

export type Rma = {
  readonly id: string;
  readonly state: 'OPEN' | 'APPROVED';
  readonly parcel?: string;
  readonly note?: string;
};

type Command = CommandMapping<'approve', Rma['state'], OfferableName>;
type Read = ReadMapping<'getReturn', Rma['state'], OfferableName>;
export type Repeat = Command['repeat'];

const shape: CoreShape = {
  returnId: 'string',
  status: new Set(['requested', 'approved']),
  'allowedActions?': [{ action: 'string', scope: 'string', allowed: 'boolean' }],
  order: { orderId: 'string' },
  createdAt: 'instant',
  lines: [{ quantities: { requested: 'count' } }],
};

const adapter = {
  name: 'acme',
  states: { OPEN: 'requested', APPROVED: 'approved' },
  otherwise: 'requested',
  failures: { 404: 'return_not_found', 409: 'invalid_transition' },
  operations: { approve: {} },
} as const;

export const returnOf = ({ id, state, ...rest }: Rma) => ({
  ...rest,
  returnId: id,
  state,
  order: { orderId: '1001' },
  createdAt: '2026-11-20T08:00:00Z',
  lines: [],
});

export const readFirst: Repeat = {
  rule: 'read first',
  find: async ({ returnId }, { send }) => {
    const { body } = await send<Rma>({ method: 'GET', path: path`/rma/${returnId}` });
    return body.state === 'APPROVED' ? returnOf(body) : undefined;
  },
};

const approveOnce: Command['run'] = async ({ returnId }, { send, key }) =>
  returnOf((await send<Rma>({ method: 'POST', path: path`/rma/${returnId}/approve`, body: { key } })).body);

export const commandWith = (repeat: Repeat, run = approveOnce) =>
  offerCommand({ adapter, operation: approve, mapping: { repeat, run }, shape });

export const readWith = (run: Read['run']) => offerRead({ adapter, operation: getReturn, mapping: { run }, shape });

/** @param key of a command */
export const callOf = (key?: string, more: Partial<Call> = {}): Call => ({
  caller: { clientId: 'shop', scopes: ['returns:read', 'returns:write'] },
  ...(key !== undefined && { idempotencyKey: key }),
  dryRun: false,
  traceId: '1'.repeat(32),
  causationId: 'request-1',
  deadline: Date.now() + 20_000,
  ...more,
});
