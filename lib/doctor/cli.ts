import { readJson } from '../local/json-file.ts';
import type { StackInfo } from '../local/stack-info.ts';
import { systemClock } from '../net/clock.ts';
import { openSecrets } from '../secrets/own-secrets.ts';
import { newTraceId } from '../runtime/trace-context.ts';
import { parseArguments, usage, type Arguments } from './arguments.ts';
import { examine } from './examine.ts';
import { partsOf as connected } from './connected.ts';
import { partsOf as standalone } from './standalone.ts';
import { stackEnvironment } from './stack-environment.ts';
import { table } from './table.ts';

const limitMs = 20_000;

/** The variables that options stand for. */
const variables = { serviceUrl: 'SERVICE_URL', authUrl: 'AUTH_URL', clientSecretId: 'CLIENT_SECRET_ID' } as const;

const run = async ({ mode, stack, settings: given, json }: Arguments): Promise<number> => {
  if (stack !== undefined) {
    const info = await readJson<StackInfo>(stack);
    if (info === undefined) {
      console.error(`There is no ${stack}: start a local stack with npm start.`);
      return 2;
    }
    Object.assign(process.env, stackEnvironment(info, mode));
  }
  for (const [name, variable] of Object.entries(variables)) {
    const value = given[name as keyof typeof variables];
    if (value !== undefined) process.env[variable] = value;
  }
  const source = openSecrets();
  try {
    const parts = (mode === 'connected' ? connected : standalone)({ source, deployed: stack !== undefined });
    const report = await examine({ parts, limitMs, clock: systemClock, traceId: newTraceId() });
    console.log(json ? JSON.stringify(report, null, 2) : table(report));
    return report.status === 'failed' ? 1 : 0;
  } finally {
    await source.close();
  }
};

const asked = parseArguments(process.argv.slice(2));
if (!asked.ok) {
  console.error(`${asked.failure}\n\n${usage}`);
  process.exitCode = 2;
} else if (asked.value.help) {
  console.log(usage);
} else {
  process.exitCode = await run(asked.value);
}
