import { statuses } from '../../../../lib/domain/returns/model/status.ts';
import type { Verdict } from './step.ts';

/** How often each step was taken, by its name, its status, and the resulting status or code. */
export type Coverage = Map<string, number>;

/** Counts a successful step. */
export const countEdge = (coverage: Coverage, name: string, from: string, to: string): void => {
  const edge = `${name}: ${from} -> ${to}`;
  coverage.set(edge, (coverage.get(edge) ?? 0) + 1);
};

/** Counts a failed step. */
export const countRefusal = (coverage: Coverage, name: string, { code }: Extract<Verdict, { ok: false }>): void => {
  const refusal = `${name}: ${code}`;
  coverage.set(refusal, (coverage.get(refusal) ?? 0) + 1);
};

const isEdge = (key: string) => key.includes(' -> ');

/** Returns the edges that were taken, sorted. */
export const edgesOf = (coverage: Coverage): readonly string[] => [...coverage.keys()].filter(isEdge).toSorted();

/** Returns the failures that were met, sorted. */
export const refusalsOf = (coverage: Coverage): readonly string[] =>
  [...coverage.keys()].filter((key) => !isEdge(key)).toSorted();

/** Returns a Markdown table of the edges that leave each state, and their counts. */
export const tableOf = (coverage: Coverage): string => {
  const rows = statuses.map((status) => {
    const out = [...coverage].flatMap(([key, times]) => {
      const [name = '', mode = ''] = key.split(': ');
      const [from, to] = mode.split(' -> ');
      return from === status && to !== undefined ? [{ name, to, times }] : [];
    });
    const edges = out.toSorted((a, b) => (a.name + a.to < b.name + b.to ? -1 : 1));
    const edgeTexts = edges.map(({ name, to, times }) => `${name} → ${to} ${times}`).join(', ');
    return `| ${status} | ${edges.length} | ${edges.reduce((sum, { times }) => sum + times, 0)} | ${edgeTexts} |`;
  });
  return ['| state | edges out | times taken | edges |', '|---|---:|---:|---|', ...rows].join('\n');
};
