import english from '../../../texts/en/field-words.json' with { type: 'json' };
import { fill } from '../../../texts/fill.ts';
import { texts } from '../../../texts/language.ts';
import brazilian from '../../../texts/pt-BR/field-words.json' with { type: 'json' };
import portuguese from '../../../texts/pt/field-words.json' with { type: 'json' };
import { stepsOf } from '../document/pointer.ts';

const words = texts(english, portuguese, brazilian);

/** Returns a JSON Pointer in words, such as "window › days". */
export const fieldWords = (pointer: string): string => {
  const { field, item, whole } = words();
  const steps = stepsOf(pointer);
  if (steps.length === 0) return whole;
  return steps
    .map((step) =>
      /^\d+$/.test(step)
        ? fill(item, { number: Number(step) + 1 })
        : ((field as Readonly<Record<string, string>>)[step] ?? step),
    )
    .join(' › ');
};
