import { basePath } from '../contract/operation.ts';
import { asyncapi, listEvents } from '../contract/operations.ts';
import { addressOf } from './address.ts';
import type { Call } from '../contract/port.ts';

/** The servers of the AsyncAPI document at the address that the caller used; empty in a direct invocation. */
export const eventServers = ({ arrived }: Call) => {
  const address = addressOf(asyncapi, arrived);
  if (address === undefined) return {};
  const { protocol, host, pathname } = address;
  const prefix = pathname.slice(0, -basePath.length);
  return {
    servers: {
      api: {
        host,
        pathname: `${prefix}${basePath}${listEvents.path}`,
        protocol,
        description: 'listEvents: events are read page by page, with an access token',
      },
    },
  };
};
