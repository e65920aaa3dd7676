import type { Output } from '../../contract/contract.ts';
import { listUsers } from '../../contract/operations.ts';
import { useCall } from '../api/use-call.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';

export type Users = Output<'listUsers'>['items'];

const none: Users = [];

/** The assignee that stands for the person at the screen. */
export const me = 'me';

/** Returns the users, and none before they are loaded. */
export const useUsers = (): Users => useCall(listUsers, {}).value?.items ?? none;

/** Returns the users as options, the person at the screen first, also before the first command. */
export const userOptions = (users: Users): readonly (readonly [id: string, text: string])[] => {
  const self = users.find((user) => user.me === true);
  return [
    [me, self === undefined ? common().me : fill(common().nameOfMe, { name: self.name })],
    ...users.filter((user) => user !== self).map(({ userId, name }) => [userId, name] as const),
  ];
};

/** Returns the name of an assignee, or the id of a user who is not listed. */
export const assigneeText = (users: Users, { id }: { readonly id: string }): string =>
  users.find(({ userId }) => userId === id)?.name ?? id;

type UserSelectProps = {
  readonly users: Users;
  /** Undefined before a choice, null for no assignee. */
  readonly assignee: string | null | undefined;
  readonly name?: string;
  readonly isDisabled?: boolean;
  readonly onChoose: (userId: string | null) => void;
};

/** Chooses a user as the assignee, or no user. */
export const UserSelect = ({ users, assignee, name, isDisabled = false, onChoose }: UserSelectProps) => {
  const shown = users.some(({ userId, me: isMe }) => isMe === true && userId === assignee) ? me : assignee;
  const options = userOptions(users);
  return (
    <select
      aria-label={common().assignee}
      disabled={isDisabled}
      value={shown === undefined ? '*' : (shown ?? '')}
      onChange={({ currentTarget: { value } }) => onChoose(value === '' ? null : value)}
    >
      {shown === undefined && (
        <option value="*" disabled>
          {`${common().choose}…`}
        </option>
      )}
      <option value="">{common().noAssignee}</option>
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
      {typeof shown === 'string' && !options.some(([id]) => id === shown) && (
        <option value={shown}>{name ?? shown}</option>
      )}
    </select>
  );
};
