import { me } from '../../contract/users/me.ts';
import { config } from '../app/config.ts';
import type { Users } from '../app/users.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { fieldText } from '../forms/field-texts.ts';

/** Whether the service knows the person at the screen. In the connected mode it knows the client alone. */
export const knowsMe = config.mode === 'standalone';

/** Returns the users as options, the person at the screen first, also before the first command. */
export const userOptions = (users: Users): readonly (readonly [id: string, text: string])[] => {
  const self = users.find((user) => user.me === true);
  return [
    ...(knowsMe
      ? [[me, self === undefined ? common().me : fill(common().nameOfMe, { name: self.name })] as const]
      : []),
    ...users.filter((user) => user !== self).map(({ userId, name }) => [userId, name] as const),
  ];
};

type UserSelectProps = {
  readonly users: Users;
  /** Undefined before a choice, null for no assignee. */
  readonly assignee: string | null | undefined;
  readonly onChoose: (userId: string | null) => void;
};

/** Chooses a user as the assignee, or no user. */
export const UserSelect = ({ users, assignee, onChoose }: UserSelectProps) => {
  const shown = users.some(({ userId, me: isMe }) => isMe === true && userId === assignee) ? me : assignee;
  const options = userOptions(users);
  return (
    <select
      aria-label={fieldText('assignee')}
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
      {typeof shown === 'string' && !options.some(([id]) => id === shown) && <option value={shown}>{shown}</option>}
    </select>
  );
};
