import { statuses } from '../../../lib/returns/model/status.ts';
import type { Verdict } from './step.ts';

/** How often each step was taken: by its name, the status it was taken in, and the status or the code it led to. */
export type Coverage = Map<string, number>;

/** Counts a step that was done. */
export const countEdge = (coverage: Coverage, name: string, from: string, to: string): void => {
  const edge = `${name}: ${from} -> ${to}`;
  coverage.set(edge, (coverage.get(edge) ?? 0) + 1);
};

/** Counts a step that was refused. */
export const countRefusal = (coverage: Coverage, name: string, { code }: Extract<Verdict, { ok: false }>): void => {
  const refusal = `${name}: ${code}`;
  coverage.set(refusal, (coverage.get(refusal) ?? 0) + 1);
};

const isEdge = (key: string) => key.includes(' -> ');

/** The edges that were taken, in order. */
export const edgesOf = (coverage: Coverage): readonly string[] => [...coverage.keys()].filter(isEdge).toSorted();

/** The refusals that were met, in order. */
export const refusalsOf = (coverage: Coverage): readonly string[] =>
  [...coverage.keys()].filter((key) => !isEdge(key)).toSorted();

/** A table in Markdown: of each state the edges that lead out of it, and how often they were taken. */
export const tableOf = (coverage: Coverage): string => {
  const rows = statuses.map((status) => {
    const out = [...coverage].flatMap(([key, times]) => {
      const [name = '', mode = ''] = key.split(': ');
      const [from, to] = mode.split(' -> ');
      return from === status && to !== undefined ? [{ name, to, times }] : [];
    });
    const edges = out.toSorted((a, b) => (a.name + a.to < b.name + b.to ? -1 : 1));
    const told = edges.map(({ name, to, times }) => `${name} → ${to} ${times}`).join(', ');
    return `| ${status} | ${edges.length} | ${edges.reduce((sum, { times }) => sum + times, 0)} | ${told} |`;
  });
  return ['| state | edges out | times taken | edges |', '|---|---:|---:|---|', ...rows].join('\n');
};
