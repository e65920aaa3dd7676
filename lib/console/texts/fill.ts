import { fillText, type Text, type Values } from './catalogue.ts';
import { language } from './language.ts';

/** Returns a text of a catalogue with its values, by the plurals of the chosen language. */
export const fill = (text: Text, values: Values): string => fillText(text, values, language.value);
