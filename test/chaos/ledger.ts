import type { Books } from './books.ts';
import {
  modeFaults,
  serviceFaults,
  services,
  type Fault,
  type ModeName,
  type ServiceFault,
  type ServiceName,
} from './plan.ts';

/* The ledger of a run as text: the faults, their effects, and whether the books balance. */

/** The faults that have begun, and the requests that met those of a service. */
export type Suffered = {
  readonly faults: readonly Fault[];
  readonly affected: (service: ServiceName) => Readonly<Partial<Record<ServiceFault, number>>>;
};

const columns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** Returns the table of faults: for each target and kind the number of times, and the requests that met the fault. */
export const faultTable = ({ faults, affected }: Suffered): string => {
  const times = (target: string, kind: string): number =>
    faults.filter((fault) => fault.target === target && fault.kind === kind).length;
  const rows = services.map((target) => [
    target,
    ...serviceFaults.map((kind) => `${times(target, kind)}/${affected(target)[kind] ?? 0}`),
  ]);
  const modes: readonly ModeName[] = ['connected', 'standalone'];
  return [
    'Faults, as times/requests that met them:',
    columns([['', ...serviceFaults], ...rows]),
    '',
    'Functions, as times:',
    columns([
      ['', ...modeFaults],
      ...modes.map((mode) => [mode, ...modeFaults.map((kind) => String(times(mode, kind)))]),
    ]),
  ].join('\n');
};

/** Returns the effects, the alarms and the differences. */
export const effectTable = ({ effects, alarms, differences }: Books): string =>
  [
    'Effects:',
    columns(Object.entries(effects).map(([name, count]) => [name, String(count)])),
    '',
    `Alarms that rang: ${alarms.join(', ') || 'none'}`,
    '',
    differences.length === 0
      ? 'The books balance: every accepted request, delivery and event has its effect once.'
      : `The books do not balance, ${differences.length} differences:\n${differences.map((difference) => `- ${difference}`).join('\n')}`,
  ].join('\n');
