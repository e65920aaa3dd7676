type Counts = ReadonlyMap<number, number>;

export const sumOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Formats response counts by status, with a row for each name and one for all. */
export const tableOf = (rows: readonly (readonly [name: string, counts: Counts])[]): string => {
  const statuses = [...new Set(rows.flatMap(([, counts]) => [...counts.keys()]))].toSorted((a, b) => a - b);
  const all = new Map(
    statuses.map((status) => [status, rows.reduce((sum, [, counts]) => sum + (counts.get(status) ?? 0), 0)]),
  );
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(width) + cells.map((cell) => cell.padStart(7)).join('');
  const counted = ([name, counts]: readonly [string, Counts]) =>
    line(name, [...statuses.map((status) => String(counts.get(status) ?? '')), String(sumOf(counts))]);
  const head = line('', [...statuses.map(String), 'sum']);
  return [head, ...rows.toSorted(([a], [b]) => a.localeCompare(b)).map(counted), counted(['all', all])].join('\n');
};
