import { rooms } from './rooms.ts';

/** The room of a folder or file: `lib/store` of `lib/store/orders/orders.ts`. */
const roomOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('lib/') ? 2 : 1)
    .join('/');

/** The rooms that each room imports, by the table of rooms. */
export const importsByRoom = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map<string, Set<string>>();
  for (const [path, { imports }] of Object.entries(rooms)) {
    const room = roomOf(path);
    const known = all.get(room) ?? new Set();
    for (const entry of imports) if (roomOf(entry) !== room) known.add(roomOf(entry));
    all.set(room, known);
  }
  return all;
};

/** All rooms that are reached from a room, directly or through others. */
export const reachedFrom = (graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> => {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    if (reached.has(room)) continue;
    reached.add(room);
    open.push(...(graph.get(room) ?? []));
  }
  return reached;
};

const nodeOf = (room: string): string => room.replace('lib/', '');

/**
 * A Mermaid flowchart of the rooms. An arrow says that a room imports another one. Arrows that follow from others are left
 * out: what a room imports, the rooms above it may import as well.
 */
export const roomPicture = (): string => {
  const graph = importsByRoom();
  const arrows = [...graph].flatMap(([room, imports]) =>
    [...imports]
      .filter((target) => ![...imports].some((other) => other !== target && reachedFrom(graph, other).has(target)))
      .toSorted()
      .map((target) => `  ${nodeOf(room)} --> ${nodeOf(target)}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
};
