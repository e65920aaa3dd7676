import { resolve } from 'node:path';
import { startMeter, type Hear, type Metered } from '../support/meter.ts';
import { containerBundle } from './bundle.ts';
import type { Candidate } from './candidates.ts';
import type { Container, EventText, Subject } from './container.ts';
import type { HandlerAnswer } from './invoke.ts';
import { compareInTurns } from './interleave.ts';
import { startBeside, type Placement, type Remote } from './remote.ts';
import { sameAnswers } from './same-answer.ts';
import type { Settings } from './settings.ts';
import type { Comparison } from './statistics.ts';

/** Starts a process with a candidate, whose events use up the subjects. */
export const startContainer = async (
  { file, environment }: Candidate,
  placement: Placement,
  subjects: readonly Subject[] = [],
): Promise<Remote<Container>> => {
  const besides = { ...placement.environment, ...environment };
  const container = startBeside<Container>(resolve(containerBundle), { ...placement, environment: besides });
  await container.call('load', { file, subjects });
  return container;
};

type Once = { readonly candidate: Candidate; readonly event: EventText; readonly subjects?: readonly Subject[] };

/** Invokes a candidate once in a new process, and returns its answer and its consumption of the engine. */
export const invokeMetered = async (
  { candidate, event, subjects }: Once,
  { environment, flags }: Placement,
  hear?: Hear,
): Promise<{ readonly answer: HandlerAnswer; readonly metered: Metered }> => {
  const meter = await startMeter(environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', hear);
  try {
    const metered = { flags, environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: meter.origin } };
    await using container = await startContainer(candidate, metered, subjects);
    return { answer: await container.call('invoke', event), metered: meter.take() };
  } finally {
    await meter.close();
  }
};

export type WarmScenario = {
  readonly title: string;
  readonly event: EventText;
  /** The subjects of the events of each candidate, if an event can be used only once. */
  readonly subjects?: readonly Subject[];
  /** Returns the part of a body that is the same for all candidates. */
  readonly visible?: (body: unknown) => unknown;
  /** The baseline is first. */
  readonly candidates: readonly Candidate[];
  /** The compared metrics of a round. */
  readonly metrics: readonly string[];
};

/** Measures candidates that stay warm, in turns. */
export const measureWarm = async (
  { title, event, subjects, visible, candidates, metrics }: WarmScenario,
  placement: Placement,
  settings: Settings,
): Promise<Comparison> => {
  await using containers = new AsyncDisposableStack();
  const check = sameAnswers(visible);
  const turns = [];
  for (const candidate of candidates) {
    const container = containers.use(await startContainer(candidate, placement, subjects));
    check(candidate.name, await container.call('invoke', event));
    const round = { event, invocations: settings.invocations };
    turns.push({ name: candidate.name, measure: async () => container.call('round', round) });
  }
  return await compareInTurns(title, turns, settings, metrics);
};
