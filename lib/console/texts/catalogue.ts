/* The shapes of catalogues, which are JSON, and of their texts. The English one has the names, which the others follow. */

type Form = Intl.LDMLPluralRule | '0' | 0;

/** A text with a form for each category of its `count` (CLDR), such as `one`. The form `0` is for that number. */
type Plural = { readonly other: string } & { readonly [Name in Form]?: string };

/** A text of a catalogue. Its placeholders are names in braces. */
export type Text = string | Plural;

type IsPlural<Texts> = keyof Texts extends Form ? true : false;

/** A catalogue with the names of another one. A missing name is a type error. */
export type Translated<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string
    ? string
    : IsPlural<Texts[Name]> extends true
      ? Plural
      : Translated<Texts[Name]>;
};

/** The texts of a catalogue that differ in a variant of its language. */
export type Differences<Texts> = {
  readonly [Name in keyof Texts]?: Texts[Name] extends string
    ? string
    : IsPlural<Texts[Name]> extends true
      ? Plural
      : Differences<Texts[Name]>;
};

/** A catalogue without a name that the English one lacks. An additional name is a type error. */
export type Known<Catalogue, Texts> = {
  readonly [Name in keyof Catalogue]: Name extends keyof Texts
    ? Texts[Name] extends string
      ? string
      : Known<Catalogue[Name], IsPlural<Texts[Name]> extends true ? Record<Form, string> : Texts[Name]>
    : never;
};

/** The values of the placeholders of a text. */
export type Values = Readonly<Record<string, string | number>>;

/* Both variants of Portuguese share texts, so they share the rules of Portugal. Those of Brazil put 0 into `one`. */
const english = new Intl.PluralRules('en');
const portuguese = new Intl.PluralRules('pt-PT');

/** Returns the form of a plural for this very number, for its category, or the form for all others. */
const formOf = (forms: Readonly<Record<string, string>>, count: number, language: string): string =>
  forms[count] ?? forms[(language === 'en' ? english : portuguese).select(count)] ?? forms['other'] ?? '';

/** Returns a text with values in the place of its placeholders. A plural follows the value `count`. */
export const fillText = (text: Text, values: Values, language: string): string =>
  (typeof text === 'string' ? text : formOf(text, Number(values['count']), language)).replaceAll(
    /\{(\w+)\}/g,
    (placeholder, name: string) => String(values[name] ?? placeholder),
  );
