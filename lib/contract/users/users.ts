import Type from 'typebox';
import { about, closed, text, UserId } from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const User = closed(
  {
    userId: about(UserId, 'The id of the user, as histories have it.'),
    name: about(text(200), 'The name of the user in the token of the last command that stored it.'),
    me: optional(about(Type.Literal(true), 'Present for the signed-in user of the call.')),
  },
  { $id: 'User', description: 'A signed-in user who has sent a command.' },
);

export const UserList = closed(
  {
    items: about(list(User), 'The users, by name.'),
    nextCursor: about(Type.Null(), 'Null: one page has all users.'),
  },
  { $id: 'UserList', description: 'The users to whom returns can be assigned.' },
);
