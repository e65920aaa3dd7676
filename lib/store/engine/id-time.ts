import { decodeTime } from 'ulid';

/** Returns the time in an id that ends with a ULID, such as `ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB`, in epoch milliseconds. */
export const timeOfId = (id: string): number => decodeTime(id.slice(id.indexOf('_') + 1));
