import { smoke, smokeRoutes, type SmokeOptions } from './smoke.ts';

/** Runs the smoke test, prints what it found, and returns the exit code. */
export const reportSmoke = async (options: SmokeOptions): Promise<number> => {
  const faults = await smoke(options);
  const secured = smokeRoutes.filter(({ status }) => status === 401).length;
  const open = smokeRoutes.filter(({ status }) => status === 200).map(({ name }) => name);
  for (const fault of faults) console.error(fault);
  if (faults.length === 0)
    console.log(`${options.api}: ${secured} secured routes answer 401; ${open.join(', ')} answer 200.`);
  else console.error(`${options.api}: ${faults.length} of ${smokeRoutes.length} routes are wrong.`);
  return faults.length === 0 ? 0 : 1;
};
