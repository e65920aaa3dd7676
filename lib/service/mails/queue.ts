import { isEventId } from '../../domain/events/cloud-event.ts';
import { isObject, parseObject } from '../../runtime/json.ts';

/*
 * Rules of EventBridge fill the queue (lib/tools/template/resources/mail-template.ts). They pass on no address: an event
 * names a message, and a bounce or a complaint names the event of its mail.
 */

/** What a message of the queue asks for. */
export type MailTask =
  | { readonly kind: 'send'; readonly eventId: string; readonly resourceId: string; readonly sequence: number }
  | { readonly kind: 'stop'; readonly eventId: string };

/** Reads the body of a message: an event with a message, or the tags of a mail. Undefined for another one. */
export const mailTaskIn = (body: string): MailTask | undefined => {
  const { id, subject, data, event } = parseObject(body) ?? {};
  const [tag] = Array.isArray(event) ? (event as readonly unknown[]) : [];
  if (isEventId(tag)) return { kind: 'stop', eventId: tag };
  const sequence = isObject(data) ? data['sequence'] : undefined;
  return isEventId(id) && typeof subject === 'string' && typeof sequence === 'number'
    ? { kind: 'send', eventId: id, resourceId: subject, sequence }
    : undefined;
};
