import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../../runtime/json.ts';

/*
 * Recordings have no personal data. Values of members with such a name, and texts in such a form, are replaced before a
 * recording is written. The search finds what is left.
 */

/** Words in the names of members of persons, in the languages of the services that we know. */
const personalWords = new Set(
  (
    'name names firstname lastname surname fullname email mail phone telephone mobile fax address addresses ' +
    'street house housenumber zip zipcode postcode postal city town company vat birthday birthdate iban ' +
    'comment comments note notes remark remarks text password otp secret ' +
    'senha nome sobrenome telefone celular endereco rua bairro cidade cep cpf cnpj comentario observacao observacoes texto ' +
    'naam voornaam achternaam straat huisnummer plaats telefoon adres opmerking opmerkingen ' +
    'vorname nachname anschrift adresse strasse hausnummer plz ort stadt telefon kommentar bemerkung anmerkung ' +
    'nombre apellido apellidos correo direccion calle ciudad telefono comentarios ' +
    'nom prenom courriel rue ville commentaire commentaires cognome indirizzo citta cellulare commento commenti'
  ).split(' '),
);

/** Returns the words of a name in small letters without accents. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** A name of these is none of a person. */
const thingWords = new Set(['transporter', 'carrier', 'product', 'shop', 'store', 'status', 'file', 'event']);

const isPersonal = (name: string): boolean => {
  const words = wordsOf(name);
  return words.some((word) => personalWords.has(word)) && !words.some((word) => thingWords.has(word));
};

/** Texts that identify a person, or give access, wherever they are. */
const forms: readonly { readonly what: string; readonly pattern: RegExp; readonly instead: string }[] = [
  // Domains of RFC 2606 belong to no person.
  {
    what: 'an e-mail address',
    pattern: /[^\s"<>(),;:@\\[\]]+@(?!(?:[\w-]+\.)*example(?:\.(?:com|net|org))?(?![\w-]|\.\w))[\w-]+(?:\.[\w-]+)+/g,
    instead: 'person@example.com',
  },
  { what: 'a token', pattern: /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, instead: 'replaced-token' },
  { what: 'a token', pattern: /\b(?:Bearer|Basic) [\w.~+/=-]{16,}/g, instead: 'replaced-token' },
  { what: 'a phone number', pattern: /(?<![\w+])\+\d[\d ()-]{7,16}\d(?!\w)/g, instead: '+10000000000' },
];

/** What stands for a value of a person. */
const replaced = 'Replaced';
const replacedEmail = 'person@example.com';

/** A mapping may join values, such as the parts of a name. */
const isReplaced = (value: unknown): boolean =>
  value === 0 || value === replacedEmail || (typeof value === 'string' && /^(?:Replaced ?)*$/.test(value));

const inForms = (text: string): string =>
  forms.reduce((left, { pattern, instead }) => left.replaceAll(pattern, instead), text);

const replacedText = (text: string): string => (text.includes('@') ? replacedEmail : replaced);

const replacement = (value: string | number): string | number => {
  if (typeof value === 'number') return 0;
  return value === '' ? value : replacedText(value);
};

/** Returns a value without personal data. The types of members stay, and empty ones stay empty. */
export const withoutPersonalData = (value: unknown, isOfPerson = false): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutPersonalData(item, isOfPerson));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withoutPersonalData(inner, isOfPerson || isPersonal(name))]),
    );
  if (typeof value === 'string') return isOfPerson ? replacement(value) : inForms(value);
  return typeof value === 'number' && isOfPerson ? replacement(value) : value;
};

/** Returns the texts that {@link withoutPersonalData} replaces in members of persons. */
const personalTextsIn = (value: unknown, isOfPerson = false): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => personalTextsIn(item, isOfPerson));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => personalTextsIn(inner, isOfPerson || isPersonal(name)));
  return isOfPerson && typeof value === 'string' && !isReplaced(value) ? [value] : [];
};

/** The shortest value of a person that is searched for: shorter ones are in other words. */
const minSearched = 4;

/** Returns the texts of members of persons, to search for them elsewhere. Digits alone, such as a house number, are in ids. */
export const personalValuesIn = (value: unknown): readonly string[] =>
  personalTextsIn(value).filter((text) => text.length >= minSearched && /\D/.test(text));

/**
 * Returns a request without the texts of persons in an input: a mapping writes a note to a member with any name. A text
 * that the input also has in a member of no person, such as a code, stays: the member of the request may be that one.
 */
export const withoutTextsOf = <Request>(request: Request, input: unknown): Request => {
  const texts = new Set(personalTextsIn(input));
  const others = JSON.stringify(withoutPersonalData(input));
  return JSON.parse(JSON.stringify(request), (_, value: unknown) =>
    typeof value === 'string' && texts.has(value) && !others.includes(JSON.stringify(value))
      ? replacedText(value)
      : value,
  ) as Request;
};

/**
 * Returns a recording without texts of persons in any member, such as a note of the input in a request. Texts without a
 * space may be ids or states, so they stay; the search finds them.
 */
export const withoutTexts = (value: unknown, texts: readonly string[]): unknown => {
  const found = texts.filter((text) => /[\s@]/.test(text)).toSorted((a, b) => b.length - a.length);
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'string' ? found.reduce((left, text) => left.replaceAll(text, replacedText(text)), inner) : inner,
  );
};

/** Returns the places with personal data, and never the data. */
export const personalDataIn = (value: unknown, path = '', isOfPerson = false): readonly string[] => {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => personalDataIn(item, `${path}/${index}`, isOfPerson));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) =>
      personalDataIn(inner, `${path}/${name}`, isOfPerson || isPersonal(name)),
    );
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  if (isOfPerson) return isReplaced(value) ? [] : [`${path} is a value of a person`];
  return forms.flatMap(({ what, pattern }) => (String(value).search(pattern) >= 0 ? [`${path} has ${what}`] : []));
};

/**
 * Searches the recordings of a folder.
 *
 * @param planted texts that must not be there, such as the secret of the client
 */
export const searchRecordings = (folder: string, planted: readonly string[] = []): readonly string[] =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      const found = [
        ...personalDataIn(parseJson(text) ?? text),
        ...(planted.some((secret) => text.includes(secret))
          ? ['has a secret or a value of a person of this run: replace it']
          : []),
      ];
      return found.map((place) => `${entry.name}: ${place}`);
    });
