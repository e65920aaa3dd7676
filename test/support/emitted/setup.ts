import fc from 'fast-check';
import { resetEnvironment } from '../environment.ts';
import { runs } from '../samples.ts';
import './listen.ts';

/* Runs before each test file. */

resetEnvironment();

// The result of a run depends on the sources alone. `npm run soak -- properties` tries other cases.
fc.configureGlobal({
  seed: Number(process.env['SEED'] ?? 1),
  numRuns: Number(process.env['PROPERTY_RUNS'] ?? runs(100)),
});
