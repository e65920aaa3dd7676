import type { Output } from '../../../lib/contract/contract.ts';
import type { Backend, Reply } from '../../../lib/contract/port.ts';
import type { Result } from '../../../lib/contract/result.ts';
import { backendCall } from '../../support/backend-call.ts';

/* The commands of a person on a return, chosen among those that it allows. */

export type OwnReturn = Output<'getReturn'>;
type Line = OwnReturn['lines'][number];
/** Runs a command. Undefined: it has nothing to do. */
type Act = (
  own: OwnReturn,
  choice: number,
  backend: Backend,
  isAtOnce: boolean,
) => Promise<Result<Reply<unknown>> | undefined>;

/** Returns up to all of so many units; at least one. */
const part = (units: number, choice: number): number => (choice % 3 === 0 ? 1 : units);

const unitsOf = ({ lines }: OwnReturn, choice: number, unitsIn: (line: Line) => number) =>
  lines.flatMap((line) => {
    const units = unitsIn(line);
    return units > 0 ? [{ lineId: line.lineId, quantity: part(units, choice) }] : [];
  });

const outstanding = ({ quantities: { approved, cancelled, returnless, received } }: Line): number =>
  approved - cancelled - returnless - received;
const uninspected = ({ quantities: { received, accepted, refused } }: Line): number => received - accepted - refused;

const finding = (choice: number) =>
  choice % 5 === 0
    ? ({ outcome: 'refuse', disposition: 'return_to_customer' } as const)
    : ({ outcome: 'accept', disposition: choice % 4 === 1 ? 'quarantine' : 'restock' } as const);

const acts: Readonly<Record<string, Act>> = {
  refund: async ({ returnId, lines }, choice, backend) => {
    const line = lines.find(({ quantities }) => quantities.accepted > 0);
    const isPart = choice % 3 === 0 && line !== undefined;
    const parts = isPart ? { lines: [{ lineId: line.lineId, quantity: 1 }] } : {};
    return backend.refund({ returnId, ...parts }, backendCall());
  },
  inspect: async (own, choice, backend, isAtOnce) => {
    if (isAtOnce && own.lines.some((line) => outstanding(line) > 0)) return undefined;
    const lines = unitsOf(own, isAtOnce ? 1 : choice, uninspected).map((units) => ({ ...units, ...finding(choice) }));
    return lines.length === 0 ? undefined : backend.inspect({ returnId: own.returnId, lines }, backendCall());
  },
  receive: async (own, choice, backend) => {
    const lines = unitsOf(own, choice, outstanding);
    return lines.length === 0 ? undefined : backend.receive({ returnId: own.returnId, lines }, backendCall());
  },
  approve: async ({ returnId }, _choice, backend) => backend.approve({ returnId }, backendCall()),
  complete: async ({ returnId }, _choice, backend) => backend.complete({ returnId }, backendCall()),
  reject: async ({ returnId }, _choice, backend) => backend.reject({ returnId, code: 'other' }, backendCall()),
  cancel: async ({ returnId }, _choice, backend) => backend.cancel({ returnId, code: 'changed_mind' }, backendCall()),
};

/**
 * Runs a command that the return allows: mostly the one that leads on. Returns its name, or undefined.
 *
 * @param isAtOnce all units are inspected together
 */
export const act = async (
  backend: Backend,
  own: OwnReturn,
  choice: number,
  isAtOnce: boolean,
): Promise<string | undefined> => {
  const allowed = Object.entries(acts).filter(([name]) =>
    own.allowedActions?.some(({ action, allowed: mayRun }) => mayRun && action === name),
  );
  const first = choice % 7 === 0 ? choice % Math.max(1, allowed.length) : 0;
  for (const [name, command] of allowed.slice(first)) {
    const result = await command(own, choice, backend, isAtOnce);
    if (result?.ok === true) return name;
    const failure = result?.failure;
    if (failure?.code === 'internal_error' || failure?.code === 'invalid_request')
      throw new Error(`${name}: ${JSON.stringify(failure)}`);
  }
  return undefined;
};
