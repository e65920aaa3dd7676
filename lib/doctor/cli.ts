import { serviceSettings } from '../config.ts';
import { functionEnvironment } from '../local/aws.ts';
import { readJson } from '../local/json-file.ts';
import type { StackInfo } from '../local/stack-info.ts';
import { systemClock } from '../net/clock.ts';
import { openSecrets } from '../secrets/own-secrets.ts';
import { newTraceId } from '../trace-context.ts';
import { parseArguments, usage, type Arguments } from './arguments.ts';
import type { Settings } from './configuration.ts';
import { examine } from './examine.ts';
import { table } from './table.ts';

const limitMs = 20_000;

/** A local stack's configuration; its Secrets Manager is found by the environment, as by the functions. */
const settingsOfStack = async (file: string): Promise<Settings | undefined> => {
  const info = await readJson<StackInfo>(file);
  if (info === undefined) return undefined;
  Object.assign(process.env, functionEnvironment(info.aws));
  const { ServiceUrl, AuthUrl, ClientSecretId } = info.parameters.connected;
  return { serviceUrl: ServiceUrl, authUrl: AuthUrl, clientSecretId: ClientSecretId };
};

const run = async ({ stack, settings: given, json }: Arguments): Promise<number> => {
  const found = stack === undefined ? serviceSettings() : await settingsOfStack(stack);
  if (found === undefined) {
    console.error(`There is no ${stack}: start a local stack with npm start.`);
    return 2;
  }
  const source = openSecrets();
  try {
    const settings = { ...found, ...given };
    const report = await examine({ settings, source, limitMs, clock: systemClock, traceId: newTraceId() });
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
