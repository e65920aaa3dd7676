import type { ChangeLine } from '../texts/change-lines.ts';

/** What differs between two states of a resource. */
export const ChangeList = ({ of }: { of: readonly ChangeLine[] }) => (
  <ul>
    {of.map(({ name, from, to }) => (
      <li key={name}>
        <code>{name}</code>: {from} → {to}
      </li>
    ))}
  </ul>
);
