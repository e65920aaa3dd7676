import type { Verdict } from './step.ts';

/** How often each step was taken, by its name, its status, and the resulting status or code. */
export type Coverage = Map<string, number>;

/** Counts a successful step. */
export const countEdge = (coverage: Coverage, name: string, from: string, to: string): void => {
  const edge = `${name}: ${from} -> ${to}`;
  coverage.set(edge, (coverage.get(edge) ?? 0) + 1);
};

/** Counts a failed step. */
export const countFailure = (coverage: Coverage, name: string, { code }: Extract<Verdict, { ok: false }>): void => {
  const failure = `${name}: ${code}`;
  coverage.set(failure, (coverage.get(failure) ?? 0) + 1);
};

const isEdge = (key: string) => key.includes(' -> ');

/** Returns the edges that were taken, sorted. */
export const edgesOf = (coverage: Coverage): readonly string[] => [...coverage.keys()].filter(isEdge).toSorted();

/** Returns the failures that were met, sorted. */
export const failuresOf = (coverage: Coverage): readonly string[] =>
  [...coverage.keys()].filter((key) => !isEdge(key)).toSorted();

/** The maximum of edges in a row of the table, so that no row is longer than 300 characters. */
const edgesInRow = 8;

/** Returns a Markdown table of the edges of each step, and their counts. An edge to the same state names it once. */
export const tableOf = (coverage: Coverage): string => {
  const edges = [...coverage].flatMap(([key, times]) => {
    const [, name, from = '', to] = /^(\w+): (\w+) -> (\w+)$/.exec(key) ?? [];
    return name === undefined ? [] : [{ name, edge: from === to ? from : `${from} → ${to}`, times }];
  });
  const steps = Map.groupBy(edges, ({ name }) => name);
  const rows = Array.from(steps, ([name, taken]) => {
    const texts = taken.map(({ edge, times }) => `${edge} ${times}`).toSorted();
    const [first = '', ...others] = Array.from({ length: Math.ceil(texts.length / edgesInRow) }, (_, row) =>
      texts.slice(row * edgesInRow, (row + 1) * edgesInRow).join(', '),
    );
    const sum = taken.reduce((total, { times }) => total + times, 0);
    return [`| ${name} | ${sum} | ${first} |`, ...others.map((more) => `| | | ${more} |`)].join('\n');
  });
  return ['| step | times taken | edges |', '|---|---:|---|', ...rows.toSorted()].join('\n');
};
