// The default import too: its functions can be replaced.
import fs, { readFileSync } from 'node:fs';
import { type JsonObject, parseObject } from '../../runtime/json.ts';
import { suggestion } from '../../runtime/nearest.ts';
import { type Command, endWithUsageError, readCommandLine } from '../command-line/command-line.ts';
import { accessOptions, readNamedService } from '../command-line/named-service.ts';
import { type AdapterBuild, readAdapter } from '../template/adapters/read-adapter.ts';
import { type Called, callService, casesOf } from './call-service.ts';
import { parameterNames } from './container.ts';
import { type Description, readDescription } from './description.ts';
import type { Row } from './findings.ts';
import { personalValuesIn, searchRecordings } from './personal-data.ts';
import { readRecordings, recordingsFolder } from './recording.ts';
import { replayRecordings } from './replay-recordings.ts';
import { conforms, recordedText, reportOf } from './report.ts';
import { writeRecordings } from './write-recordings.ts';

const command: Command = {
  call: 'npm run conform',
  about:
    'Compares an adapter with its Returns Service: replays lib/adapters/<name>/recordings, or calls the service itself.',
  options: {
    adapter: { type: 'string', value: '<name>', about: 'The adapter: a folder in lib/adapters.' },
    description: {
      type: 'string',
      value: '<files>',
      about: 'OpenAPI or Swagger documents of the service, JSON or YAML, separated by commas.',
    },
    service: { type: 'string', value: '<url>', about: 'Calls this service. It gets reads only, without --commands.' },
    ...accessOptions,
    parameters: {
      type: 'string',
      value: '<file>',
      about: 'With --service: a JSON object with parameters of the deployment, such as ServiceHeaders.',
    },
    return: { type: 'string', value: '<id>', about: 'With --service: the return of reads and commands.' },
    inputs: { type: 'string', value: '<file>', about: 'With --service: a JSON object with an input by operation.' },
    commands: { type: 'boolean', about: 'With --service: calls commands too, on the return of --return.' },
    record: { type: 'boolean', about: 'With --service: writes recordings, without personal data.' },
  },
};

const { values } = readCommandLine(command);

/** Functions write metrics to the file of standard output, past its stream. The output of this command is its report. */
const dropMetrics = (): void => {
  const { writeSync } = fs;
  const write = (file: number, ...rest: [string]): number =>
    file === 1 ? Buffer.byteLength(rest[0]) : Reflect.apply(writeSync, fs, [file, ...rest]);
  Object.assign(fs, { writeSync: write });
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const textOf = (name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

const required = (name: string): string => textOf(name) ?? endWithUsageError(command, `--${name} is missing.`);

const readObject = (file: string): JsonObject => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return endWithUsageError(command, `${file} is not readable.`);
  }
  return parseObject(text) ?? endWithUsageError(command, `${file} must have a JSON object.`);
};

const readParameters = (file: string): Readonly<Record<string, string>> => {
  const parameters = readObject(file);
  for (const [name, value] of Object.entries(parameters)) {
    if (!parameterNames.includes(name)) {
      const meant = suggestion(name, parameterNames) || ` There are ${parameterNames.join(', ')}.`;
      endWithUsageError(command, `${file}: the parameter ${name} has no effect here.${meant}`);
    }
    if (typeof value !== 'string') endWithUsageError(command, `${file}: the parameter ${name} must be text.`);
  }
  return parameters as Readonly<Record<string, string>>;
};

const adapterOf = async (): Promise<AdapterBuild> => {
  const build = await readAdapter(required('adapter'));
  return build.ok ? build.value : endWithUsageError(command, build.failure);
};

/** Prints the report, and sets the exit code. */
const end = (adapter: string, rows: readonly Row[], others: readonly string[]): void => {
  console.log(reportOf(adapter, rows, others));
  process.exitCode = conforms(rows, others) ? 0 : 1;
};

const replay = async (build: AdapterBuild, description: Description | undefined): Promise<void> => {
  const { name } = build.adapter;
  const recordings = await readRecordings(recordingsFolder(name));
  const unknown = [...recordings.keys()].filter((operation) => !(operation in build.adapter.operations));
  const others = unknown.map((operation) => `${operation}.json: the adapter does not offer this operation`);
  end(name, await replayRecordings(build, { recordings, description }), others);
};

/** Writes recordings, and returns their files with what is wrong with them. */
const record = async (name: string, called: readonly Called[], secret: JsonObject) => {
  const cases = casesOf(called);
  const folder = recordingsFolder(name);
  const lines = await writeRecordings(
    folder,
    `${required('service')}, ${new Date().toISOString().slice(0, 10)}`,
    cases,
  );
  const secrets = Object.values(secret).filter((value) => typeof value === 'string' && value.length > 8) as string[];
  return { lines, others: searchRecordings(folder, [...secrets, ...personalValuesIn(cases)]) };
};

const call = async (build: AdapterBuild, description: Description | undefined): Promise<void> => {
  const service = readNamedService(required('service'), values);
  if (!service.ok) return endWithUsageError(command, service.failure);
  const { clientSecret } = service.value;
  const [inputs, parameters] = ['inputs', 'parameters'].map(textOf);
  const called = await callService(build, {
    ...service.value,
    clientSecret: JSON.stringify(clientSecret),
    ...(parameters !== undefined && { parameters: readParameters(parameters) }),
    description,
    returnId: textOf('return'),
    commands: values['commands'] === true,
    inputs: inputs === undefined ? {} : readObject(inputs),
  });
  const { name } = build.adapter;
  const { lines, others } =
    values['record'] === true ? await record(name, called, clientSecret) : { lines: [], others: [] };
  const rows = called.map(({ row }) => row);
  end(name, rows, others);
  if (values['record'] === true) console.log(recordedText(lines));
};

const onlyLive = ['auth', 'secret', 'parameters', 'return', 'inputs', 'commands', 'record'].find(
  (name) => values[name] !== undefined,
);
if (values['service'] === undefined && onlyLive !== undefined)
  endWithUsageError(command, `--${onlyLive} needs --service.`);
dropMetrics();
try {
  const build = await adapterOf();
  const files = textOf('description');
  const description = files === undefined ? undefined : await readDescription(files.split(','));
  await (values['service'] === undefined ? replay(build, description) : call(build, description));
} catch (error) {
  console.error(`The comparison did not end: ${messageOf(error)}`);
  process.exitCode = 1;
}
