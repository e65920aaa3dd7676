import { reading } from '../entry.ts';
import { user } from '../example-story.ts';
import { UserList } from './users.ts';

/* The operations on users. */

export const listUsers = reading({
  path: '/users',
  scope: 'returns:read',
  summary: 'List the users',
  description:
    'Returns the users to whom `assignReturn` can assign a return, on one page. A user joins the list with the first command that the user sends, and leaves it with an erasure. The list has at most 500 users, the first by id.',
  answers: UserList,
  example: { output: { items: [user], nextCursor: null } },
});
