import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { firstAnswerBundle } from './bundle.ts';
import { alternative, type Candidate } from './candidates.ts';
import { cpuQuota, type CpuQuota } from './control-group.ts';
import type { FirstAnswer } from './first-answer.ts';
import { interleave } from './interleave.ts';
import { cpu, profileFlags, type Placement } from './remote.ts';
import { comparisonSection } from './report.ts';
import { sameAnswers } from './same-answer.ts';
import type { Bed, Section, Settings } from './settings.ts';
import { compare, medianOf, type Measured, type Sample } from './statistics.ts';
import type { ComparedTarget } from './targets.ts';

/* Measures the time from the start of a process to its first answer. */

/** The environment and the quota of each start. */
export type ColdPlacement = Placement & { readonly quota: CpuQuota | undefined };

/** The share of one CPU of a function with 512 MB. */
const share = 0.29;

/** Answers without work: the cost of Node itself. */
const empty: Candidate = alternative('empty', 'empty/get-return');

/** The metrics of a start. */
export const addedMs = 'added ms';
export const addedCpu = 'added CPU ms';

/** Starts a process with a candidate, invokes it once, and returns its times and its answer. */
const startOnce = async (
  { name, file, environment: besides }: Candidate,
  event: string,
  { environment, quota }: ColdPlacement,
) => {
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

/** Subtracts the median of the empty handler from every sample, to get the cost that a candidate adds to Node. */
const addedTo = (base: Measured, { candidate, samples }: Measured): Measured => {
  const added = (sample: Sample): Sample =>
    Object.fromEntries(Object.entries(sample).map(([metric, value]) => [metric, value - medianOf(base, metric)]));
  return { candidate, samples: samples.map(added) };
};

export type ColdScenario = {
  readonly title: string;
  /** The baseline is first. */
  readonly candidates: readonly Candidate[];
  /** Returns the event of the next start. */
  readonly nextEvent: () => string;
  /** Returns the part of an answer's body that is the same for all candidates. */
  readonly visible?: (body: unknown) => unknown;
  /** Checks the effects of all starts. */
  readonly after?: () => Promise<void>;
  readonly targets: readonly ComparedTarget[];
};

/** Starts each candidate once in each round, and compares the times that they add to those of an empty handler. */
export const measureCold = async (
  { title, candidates, nextEvent, visible, after, targets }: ColdScenario,
  placement: ColdPlacement,
  settings: Settings,
): Promise<Section> => {
  const check = sameAnswers(visible);
  const turns = candidates.map((one) => ({
    name: one.name,
    measure: async () => {
      const { sample, answer } = await startOnce(one, nextEvent(), placement);
      check(one.name, answer);
      return sample;
    },
  }));
  const baseTurn = { name: empty.name, measure: async () => (await startOnce(empty, '{}', placement)).sample };
  const [base, ...others] = await interleave([baseTurn, ...turns], settings);
  if (base === undefined) throw new Error('nothing was measured');
  await after?.();
  const added = others.map((one) => addedTo(base, one));
  const section = comparisonSection(compare(title, candidates[0]?.name ?? '', added), targets);
  const [ms, cpuMs] = [medianOf(base, addedMs).toFixed(0), medianOf(base, addedCpu).toFixed(0)];
  const remark = `over an empty handler, which answers after ${ms} ms and ${cpuMs} ms of CPU`;
  return { ...section, remarks: [remark, ...(section.remarks ?? [])] };
};

/** Measures starts on a whole CPU, and on a share of one where the kernel permits a quota. */
export const withAndWithoutQuota = async (
  { report }: Bed,
  measure: (title: string, quota: CpuQuota | undefined) => Promise<readonly Section[]>,
): Promise<readonly Section[]> => {
  const sections = await measure('', undefined);
  using quota = cpuQuota(share);
  if (quota !== undefined) return [...sections, ...(await measure(`${share} of a CPU (${quota.means})`, quota))];
  report(`this machine allows no control group: left out are starts on ${share} of a CPU`);
  return sections;
};
