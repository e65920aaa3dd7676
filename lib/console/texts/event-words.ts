import english from './en/event-words.json' with { type: 'json' };
import { texts } from './language.ts';
import brazilian from './pt-BR/event-words.json' with { type: 'json' };
import portuguese from './pt/event-words.json' with { type: 'json' };

/* The words for the types of events in the history of a return. */

const words = texts(english, portuguese, brazilian);

/** Returns the words for the type of an event, or the type itself if it has none. */
export const eventText = (type: string): string =>
  (words() as Readonly<Record<string, string>>)[type] ?? type.replaceAll(/[._]/g, ' ');
