import Type from 'typebox';
import { about, closed, erasable, id, Language, matching, text } from '../scalars.ts';
import { MessageName } from './events.ts';

const { Optional: optional } = Type;

export const MessagePath = closed({
  resourceId: text(
    30,
    matching(
      '^(ret|wdr)_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      'the id of a return or a withdrawal, such as ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN',
    ),
  ),
  sequence: Type.Integer({ minimum: 1, maximum: 9_999_999_999 }),
});

export const MessageQuery = closed({ language: optional(Language) });

export const Message = closed(
  {
    name: about(MessageName, 'The name of the message, as the event has it.'),
    eventId: about(id('evt'), 'The id of the event. A sender that stores it sends the message of an event once.'),
    language: about(Language, 'The language of the texts.'),
    to: about(
      closed({ email: optional(about(text(320), 'The e-mail address. Absent if none is known.')), ...erasable }),
      'The address of the customer, as the shop reported it last. For a receipt, the address of the declaration.',
    ),
    subject: about(text(200), 'The subject of a mail, on one line. It has no text that a person typed.'),
    text: about(
      Type.String({ minLength: 1 }),
      'The message as plain text. In a receipt, word joiners (U+2060) keep typed addresses from becoming links.',
    ),
  },
  { $id: 'CustomerMessage', description: 'The message that tells an event to the customer.' },
);
