import { readFile } from 'node:fs/promises';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { functionName, lambdaClient } from './lambda.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

const region = 'arn:aws:lambda:eu-central-1:000000000000:function';

/** The functions of a definition, as CloudFormation's DefinitionSubstitutions would insert them. */
const substitutions: Readonly<Record<string, string>> = {
  RegisterOrderFunctionArn: `${region}:${functionName('registerOrder')}`,
  CreateReturnFunctionArn: `${region}:${functionName('createReturn')}`,
  ApproveFunctionArn: `${region}:${functionName('approve')}`,
};

/** Reads the state machine of the examples. */
export const readDefinition = async (): Promise<StateMachineDefinition> => {
  const text = await readFile('lib/tools/guides/examples/return-of-order.asl.json', 'utf8');
  return JSON.parse(
    text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => substitutions[name] ?? ''),
  ) as StateMachineDefinition;
};

export type Execution = {
  readonly input: object;
  /** The execution's name. A second one of the same name is a repeat. */
  readonly name: string;
  /** Called before each task, with the event for its function. */
  readonly before?: (task: string, event: unknown) => Promise<void>;
  /** Called after each failure of a task, with the name of the error. */
  readonly failed?: (task: string, error: string) => void;
};

/** The result of an execution: its output, and its retries and caught errors. */
export type Executed = {
  readonly output: unknown;
  readonly retried: readonly string[];
  readonly caught: readonly string[];
};

type Json = Parameters<StateMachine['run']>[0];
type Tasks = Record<string, (event: Json) => Promise<Json>>;

/** Runs every task through Lambda's API. A failure is the error that Step Functions derives from Lambda's report. */
const tasksOf = (definition: StateMachineDefinition, mode: Mode, from: StackInfo, execution: Execution): Tasks => {
  const client = lambdaClient(mode, from);
  const tasks: Tasks = {};
  for (const [name, state] of Object.entries(definition.States)) {
    if (state.Type !== 'Task') continue;
    tasks[name] = async (event) => {
      await execution.before?.(name, event);
      const command = new InvokeCommand({ FunctionName: state.Resource, Payload: JSON.stringify(event) });
      const { FunctionError, Payload } = await client.send(command);
      const report = Payload?.transformToString() ?? '';
      if (FunctionError === undefined) return JSON.parse(report) as Json;
      const { errorType } = JSON.parse(report) as { errorType: string };
      execution.failed?.(name, errorType);
      throw Object.assign(new Error(report), { name: errorType });
    };
  }
  return tasks;
};

/** Runs the state machine of the examples to its end, with the functions of one mode. A retry does not wait. */
export const execute = async (mode: Mode, from: StackInfo, execution: Execution): Promise<Executed> => {
  const definition = await readDefinition();
  const tasks = tasksOf(definition, mode, from, execution);
  const names = Object.keys(tasks);
  const { result, eventLogs } = new StateMachine(definition).run(execution.input as Json, {
    overrides: {
      taskResourceLocalHandlers: tasks,
      retryIntervalOverrides: Object.fromEntries(names.map((name) => [name, 0])),
    },
    context: {
      Execution: { Id: `arn:aws:states:eu-central-1:000000000000:execution:return-of-order:${execution.name}` },
      StateMachine: { Name: 'return-of-order' },
    },
  });
  const retried: string[] = [];
  const caught: string[] = [];
  const output = await result;
  for await (const event of eventLogs) {
    if (event.type === 'StateRetried') retried.push(event.state.name);
    if (event.type === 'StateCaught') caught.push(event.state.name);
  }
  return { output, retried, caught };
};
