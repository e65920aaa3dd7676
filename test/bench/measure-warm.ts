import { resolve } from 'node:path';
import { containerBundle } from './bundle.ts';
import type { Candidate } from './candidates.ts';
import type { Container, EventText, Subject } from './container.ts';
import { interleave, seeded } from './interleave.ts';
import { startRemote, type Remote, type RemoteOptions } from './remote.ts';
import { demandSameAnswer } from './same-answer.ts';
import type { Settings } from './settings.ts';
import { compare, type Comparison } from './statistics.ts';

/** The environment, the CPU and the options of Node.js of a candidate. */
export type Placement = Pick<RemoteOptions, 'environment' | 'cpu' | 'flags'>;

/** Starts a process with a candidate, whose events use up the subjects. */
export const startContainer = async (
  { file, environment }: Candidate,
  placement: Placement,
  subjects: readonly Subject[] = [],
): Promise<Remote<Container>> => {
  const besides = { ...placement.environment, ...environment };
  const container = startRemote<Container>(resolve(containerBundle), { ...placement, environment: besides });
  await container.call('load', { file, subjects });
  return container;
};

export type WarmScenario = {
  readonly title: string;
  readonly event: EventText;
  /** The subjects of the events of each candidate, if an event can be used only once. */
  readonly subjects?: readonly Subject[];
  readonly status: number;
  /** Returns the part of a body that is the same for all candidates. */
  readonly visible: (body: unknown) => unknown;
  /** The baseline is first. */
  readonly candidates: readonly Candidate[];
  /** The compared metrics of a round. */
  readonly metrics: readonly string[];
};

/** Measures candidates that stay warm, in turns. */
export const measureWarm = async (
  scenario: WarmScenario,
  placement: Placement,
  settings: Settings,
): Promise<Comparison> => {
  const { title, event, subjects, status, visible, candidates, metrics } = scenario;
  await using containers = new AsyncDisposableStack();
  const turns = [];
  const answers = [];
  for (const candidate of candidates) {
    const container = containers.use(await startContainer(candidate, placement, subjects));
    answers.push({ candidate: candidate.name, answer: await container.call('invoke', { event }) });
    const round = { event, status, invocations: settings.invocations };
    turns.push({ name: candidate.name, measure: () => container.call('round', round) });
  }
  demandSameAnswer(status, answers, visible);
  const measured = await interleave(turns, { ...settings, random: seeded(settings.seed) });
  return compare(title, candidates[0]?.name ?? '', measured, metrics);
};
