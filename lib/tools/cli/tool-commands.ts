import { Argument, type Command } from 'commander';
import { completionScript, type Shell, shellNames } from './completion.ts';
import { parseField } from './field-options.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import type { OperationInfo } from './catalogue.ts';
import { safeJson, safeText } from './output/safe-text.ts';
import { type Runner, type Session, untilAborted, usageError, withConnection } from './session.ts';
import { readLocalIssuer } from './profiles/local-profiles.ts';
import { listProfiles } from './profiles/settings.ts';
import { openTable } from './output/table.ts';
import type { JsonObject } from '../../runtime/json.ts';
import type { Invocation } from './run/context.ts';
import { addImport } from './import/run-import.ts';
import { addWebhooksSign } from './webhooks-sign.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import type { VerifiedFiles } from '../verify/cli.ts';

/* Commands that are no operations of the contract. */

type Choose = (runner: Runner) => void;

const profileColumns = ['name', 'serviceUrl', 'clientId', 'secret', 'isDefault'];

const runProfiles = async (session: Session): Promise<number> => {
  const { terminal, json, options, env } = session;
  const rows = await listProfiles(options, env);
  if (!rows.ok) return usageError(session, rows.failure);
  if (json) await terminal.print(safeJson(rows.value, 2));
  else {
    const { head = '', rows: lines } = openTable({ columns: profileColumns, width: terminal.width }).lines(rows.value);
    await terminal.print([terminal.paint('bold', head), ...lines].join('\n'));
  }
  return exitCodes.ok;
};

/**
 * Verifies an export of histories without the service. Prints a line for each failure, then the summary. As JSON, the
 * last line is the report.
 */
const runVerify = async (
  session: Session,
  { roots, ...files }: Omit<VerifiedFiles, 'roots'> & { readonly roots: string | undefined },
): Promise<number> => {
  const { terminal, json, signal } = session;
  const { exportNeeds, formatFailure, verifyFiles } = await import('../verify/cli.ts');
  if (roots === undefined) return usageError(session, exportNeeds);
  const work = verifyFiles(
    { ...files, roots },
    (failure) => void terminal.print(json ? safeJson(failure) : safeText(formatFailure(failure))),
  );
  const verified = await untilAborted(signal, work);
  if (!verified.ok) return usageError(session, verified.failure);
  const { report, text } = verified.value;
  await terminal.print(json ? safeJson(report) : text);
  return report.faults === 0 ? exitCodes.ok : exitCodes.failed;
};

const addLocalTools = (program: Command, hasList: boolean, choose: Choose): void => {
  program
    .command('profiles')
    .description('Lists the profiles. It reads no secret.')
    .action(() => choose(runProfiles));
  program
    .command('doctor')
    .summary('Check the access of a profile')
    .description(
      'Checks the access of the profile step by step: addresses, credentials, certificate, token, API. It changes nothing. Each finding has a remedy.',
    )
    .action(() => choose(async (session) => (await import('./doctor.ts')).runDoctor(session, hasList)));
  program
    .command('completion')
    .summary('Print the completion script of a shell')
    .description(`Prints the completion script of a shell: ${shellNames.join(', ')}.`)
    .addArgument(new Argument('<shell>', 'The shell.').choices(shellNames))
    .action((shell: Shell) =>
      choose(async ({ terminal }) => {
        await terminal.print(completionScript(program, shell).trimEnd());
        return exitCodes.ok;
      }),
    );
};

/** Adds the command that verifies an export, for a service with histories. */
export const addVerify = (program: Command, choose: Choose): void => {
  const verify = program
    .command('verify')
    .summary('Verify an export of histories')
    .description(
      'Verifies an export of the format `history` against the stored roots, without the service. Without the key, the last root proves the entries before it. npm run verify also verifies receipts of withdrawals.',
    )
    .usage('[options] <export> <roots> [key]')
    .argument('<export>', 'An export of the format history.')
    .argument('[roots]', 'The roots of the bucket, as JSON.')
    .argument('[key]', 'The secret HistoryKeys, as JSON.')
    .option('--part', 'The export is partial: missing returns are no faults.')
    .option('--trees <folder>', 'The trees of the bucket. Compares the export with all of them.')
    .action((exported: string, roots: string | undefined, key: string | undefined) => {
      const { part, trees } = verify.opts<{ readonly part?: true; readonly trees?: string }>();
      choose((session) => runVerify(session, { exported, roots, key, trees, isPart: part === true }));
    });
};

/** Adds a command that reads a job, then works with it. */
const addJobTool = (
  jobs: Command,
  getJob: OperationInfo,
  name: string,
  texts: { readonly summary: string; readonly description: string },
  choose: Choose,
  finish: (invocation: Invocation, started: JsonObject) => Promise<number>,
): Command => {
  const [field] = getJob.params;
  if (field === undefined) throw new Error('getJob has no parameter');
  const command = jobs
    .command(name)
    .summary(texts.summary)
    .description(texts.description)
    .addArgument(new Argument('<job-id>', 'The id of the job.').argParser((value: string) => parseField(field, value)));
  return command.action((jobId: string) => {
    const out = command.opts<{ readonly out?: string }>().out ?? '.';
    choose(async (session) =>
      withConnection(session, async (call) => {
        const settings = { signal: session.signal, traceId: newTraceId() };
        const yes = session.options.yes === true;
        const invocation = {
          ...session,
          info: getJob,
          input: { jobId },
          call,
          settings,
          limit: undefined,
          wait: true,
          out,
          yes,
        };
        return finish(invocation, { jobId, status: 'queued' });
      }),
    );
  });
};

const addJobTools = (jobs: Command, getJob: OperationInfo, choose: Choose): void => {
  addJobTool(
    jobs,
    getJob,
    'wait',
    { summary: 'Wait for a job', description: 'Waits until the job ends, shows its progress, and prints its result.' },
    choose,
    async (...job) => (await import('./run/job.ts')).finishJob(...job),
  );
  addJobTool(
    jobs,
    getJob,
    'download',
    {
      summary: 'Download the files of an export',
      description:
        'Waits for the end of an export, and downloads its files. A file has its name only when it is complete.',
    },
    choose,
    async (...job) => (await import('./run/download.ts')).finishExport(...job),
  ).option('--out <folder>', 'The folder for the files.', '.');
};

const guide = '"Rotate the client secret" in lib/tools/guides/operate.md';

/** Rotates the client secret of the local stack while calls run, and prints what happens. */
const runRotate = async (session: Session, isLocal: boolean): Promise<number> => {
  const { terminal, json, env, signal } = session;
  if (!isLocal)
    return usageError(session, `this command rehearses a rotation: add --local. For a stage, see ${guide}.`);
  const local = await readLocalIssuer(env);
  if (!local.ok) return usageError(session, local.failure);
  const { rehearseRotation } = await import('./run/rehearse-rotation.ts');
  const note = json ? terminal.note : (line: string) => void terminal.print(line);
  const result = await rehearseRotation(
    local.value,
    (minute, what) => note(`minute ${String(minute).padStart(2)}  ${what}`),
    signal,
  );
  const { calls, failures, readAfterMinutes: read, usedAfterMinutes: used } = result;
  const isMoved = read !== undefined && used !== undefined;
  const moved = isMoved
    ? `The container read the new version after ${read} minutes, and used it after ${used}.`
    : 'The container did not use the new version.';
  await terminal.print(json ? safeJson(result) : `${calls} calls, ${failures} failures. ${moved}`);
  return failures === 0 && isMoved ? exitCodes.ok : exitCodes.failed;
};

/** Adds the command that rehearses the rotation of the client secret. */
const addSecretsRotate = (program: Command, choose: Choose): void => {
  const rotate = program
    .command('secrets')
    .description('Secrets of the connected mode')
    .command('rotate')
    .summary('Rehearse a rotation of the client secret')
    .description(
      'Rotates the client secret of the local stack while a warm container calls the service, and prints what happens: the new secret at the issuer and in Secrets Manager, when the container reads and uses it, and the calls and failures. The clock of the container is moved forward, so an hour takes seconds.',
    )
    .option('--local', 'Confirms that the local stack is meant.');
  rotate.action(() => {
    const { local } = rotate.opts<{ readonly local?: true }>();
    choose((session) => runRotate(session, local === true));
  });
};

/** Adds the commands that are no operations. */
export const addTools = (program: Command, catalogue: readonly OperationInfo[], choose: Choose): void => {
  const offers = (name: string): boolean => catalogue.some(({ operation }) => operation.name === name);
  addLocalTools(program, offers('listReturns'), choose);
  const jobs = program.commands.find((command) => command.name() === 'jobs');
  if (offers('listInboxDeliveries')) addWebhooksSign(program, choose);
  if (offers('importReturn')) addImport(program, choose);
  // An offer of an adapter may list no returns, and its stack has no Returns Service of ours.
  if (offers('getHistory')) addSecretsRotate(program, choose);
  const getJob = catalogue.find(({ operation }) => operation.name === 'getJob');
  if (jobs !== undefined && getJob !== undefined) addJobTools(jobs, getJob, choose);
};
