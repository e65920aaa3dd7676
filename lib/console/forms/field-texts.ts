import english from '../texts/en/fields.json' with { type: 'json' };
import { unitWord } from '../texts/labels.ts';
import { texts } from '../texts/language.ts';
import brazilian from '../texts/pt-BR/fields.json' with { type: 'json' };
import portuguese from '../texts/pt/fields.json' with { type: 'json' };

/* The words for fields of requests and resources. A field without a word here is shown as its name with spaces. */

const words = texts(english, portuguese, brazilian);

const spaced = (name: string): string => {
  const plain = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
};

const unitNames = new Set(['quantities']);

/**
 * Returns the word for a field.
 *
 * @param parent the field that it belongs to: the units of a line have words of their own
 */
export const fieldText = (name: string, parent?: string): string =>
  parent !== undefined && unitNames.has(parent)
    ? unitWord(name, 0)
    : ((words() as Readonly<Record<string, string>>)[name] ?? spaced(unitWord(name, 0)));
