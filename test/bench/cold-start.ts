import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { firstAnswerBundle } from './bundle.ts';
import { alternative, type Candidate } from './candidates.ts';
import type { HandlerAnswer } from './container.ts';
import type { CpuQuota } from './cpu-quota.ts';
import type { FirstAnswer } from './first-answer.ts';
import { interleave, seeded } from './interleave.ts';
import type { Placement } from './measure-warm.ts';
import { profileFlags } from './remote.ts';
import { comparisonSection } from './report.ts';
import type { Section, Settings } from './settings.ts';
import { compare, quantile, type Comparison, type Measured, type Sample } from './statistics.ts';
import type { Verdict } from './targets.ts';

/* Measures the time from the start of a process to its first answer. */

/** The environment, the CPU and the quota of each start. */
export type ColdPlacement = Placement & { readonly quota?: CpuQuota };

/** The share of one CPU of a function with 512 MB. */
export const share = 0.29;

/** Answers without work: the cost of Node itself. */
const empty: Candidate = alternative('empty', 'getReturn');

/** The metrics of a start. */
export const addedMs = 'added ms';
export const addedCpu = 'added CPU ms';

type Start = { readonly sample: Sample; readonly answer: unknown };

/** Starts a process with a candidate, invokes it once, and returns its times and its answer. */
const startOnce = async (
  { name, file, environment: besides }: Candidate,
  event: string,
  { environment, cpu, quota }: ColdPlacement,
): Promise<Start> => {
  const plain = [process.execPath, ...profileFlags(), firstAnswerBundle, file];
  const pinned = cpu === undefined ? plain : ['taskset', '-c', String(cpu), ...plain];
  const [command = '', ...args] = quota === undefined ? pinned : quota.wrap(pinned);
  const child = spawn(command, args, {
    env: { ...environment, ...besides, EVENT: event },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [written, [code]] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  const { ms, cpu: cpuMs, answer } = JSON.parse(written) as FirstAnswer;
  return { sample: { [addedMs]: ms, [addedCpu]: cpuMs }, answer };
};

const medianOf = ({ samples }: Measured, metric: string): number =>
  quantile(
    samples.map((sample) => sample[metric] ?? Number.NaN),
    0.5,
  );

/** Subtracts the median of the empty handler from every sample, to get the cost that a candidate adds to Node. */
export const addedTo = (base: Measured, { candidate, samples }: Measured): Measured => {
  const added = (sample: Sample): Sample =>
    Object.fromEntries(Object.entries(sample).map(([metric, value]) => [metric, value - medianOf(base, metric)]));
  return { candidate, samples: samples.map(added) };
};

/** Returns the part of an HTTP answer that must be the same for all candidates. It throws on another status. */
export const visibleIn =
  (status: number, visible: (body: unknown) => unknown) =>
  (answer: unknown): unknown => {
    const { statusCode, body } = answer as HandlerAnswer;
    if (statusCode !== status) throw new Error(`answered ${statusCode}, not ${status}: ${body}`);
    return body === '' ? '' : visible(JSON.parse(body));
  };

/** Returns a check that throws when an answer differs from the first one in its visible part. */
export const sameAnswers = (visible: (answer: unknown) => unknown) => {
  let first: { readonly name: string; readonly part: unknown } | undefined;
  return (name: string, answer: unknown): void => {
    const part = visible(answer);
    first ??= { name, part };
    if (!isDeepStrictEqual(part, first.part))
      throw new Error(
        `${name} answered ${JSON.stringify(part)}\nwhere ${first.name} answered ${JSON.stringify(first.part)}`,
      );
  };
};

export type ColdScenario = {
  readonly title: string;
  /** The baseline is first. */
  readonly candidates: readonly Candidate[];
  /** Returns the event of the next start of a candidate. */
  readonly nextEvent: (candidate: Candidate) => string;
  /** Returns the part of an answer that is the same for all candidates. */
  readonly visible: (answer: unknown) => unknown;
  /** Checks the effects of all starts. */
  readonly after?: () => Promise<void>;
  readonly verdictsOn?: (comparison: Comparison) => readonly Verdict[];
};

/** Starts each candidate once in each round, and compares the times that they add to those of an empty handler. */
export const measureCold = async (
  { title, candidates, nextEvent, visible, after, verdictsOn = () => [] }: ColdScenario,
  placement: ColdPlacement,
  settings: Settings,
): Promise<Section> => {
  const check = sameAnswers(visible);
  const turns = candidates.map((one) => ({
    name: one.name,
    measure: async () => {
      const { sample, answer } = await startOnce(one, nextEvent(one), placement);
      check(one.name, answer);
      return sample;
    },
  }));
  const baseTurn = { name: empty.name, measure: async () => (await startOnce(empty, '{}', placement)).sample };
  const [base, ...others] = await interleave([baseTurn, ...turns], { ...settings, random: seeded(settings.seed) });
  if (base === undefined) throw new Error('nothing was measured');
  await after?.();
  const added = others.map((one) => addedTo(base, one));
  const comparison = compare(title, candidates[0]?.name ?? '', added);
  const section = comparisonSection(comparison, verdictsOn(comparison));
  const [ms, cpu] = [medianOf(base, addedMs).toFixed(0), medianOf(base, addedCpu).toFixed(0)];
  const remark = `over an empty handler, which answers after ${ms} ms and ${cpu} ms of CPU`;
  return { ...section, remarks: [remark, ...(section.remarks ?? [])] };
};
