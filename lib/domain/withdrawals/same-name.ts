/*
 * Compares the name of a declaration with the name of an order. Equal names hold goods and cancel an order, so the rule
 * is strict: an initial, a missing middle name or a title makes another name, and staff decides. The search for customers
 * folds by the same rule: a change here needs a new `layout` there (lib/store/personal/customer-search.ts).
 */

/** Letters that Unicode does not decompose into a letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
};

const undecomposed = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/** Apostrophes are within a part of a name, and shops store different ones. */
const apostrophes = /['’‘ʼʹ`´]/gu;
/** Accents of Latin, Greek and Cyrillic letters. The marks of other scripts distinguish names. */
const accents = /[\u0300-\u036f]/gu;

/** Folds a character. The uppercase expands `ß` and ligatures. Single characters have no context, as a final sigma. */
const foldCharacter = (character: string): string => character.toLowerCase().toUpperCase().toLowerCase();

/** NFKD makes a space of some apostrophes, which therefore go first. NFC makes some others of Greek signs. */
const withoutApostrophes = (name: string): string => name.normalize('NFC').replaceAll(apostrophes, '');

const foldOnce = (name: string): string =>
  Array.from(withoutApostrophes(name).normalize('NFKD').replaceAll(accents, ''), foldCharacter)
    .join('')
    .normalize('NFKD')
    .replaceAll(accents, '')
    .replaceAll(undecomposed, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFKC');

/** Folds case, accents, width, apostrophes and invisible characters of any text. */
export const foldText = (text: string): string =>
  // Folding can bring back letters to fold.
  foldOnce(foldOnce(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')));

/** Chinese, Japanese and Korean names have no space between their parts, or have one: each character is a part. */
const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const part = new RegExp(String.raw`[${spaceless}]\p{M}*|(?:(?![${spaceless}])[\p{L}\p{M}])+`, 'gu');

/** A text that is an address or a number. Shops show one in place of a missing name, and others may know it. */
const noName = /[@\p{N}]/u;

/** A single letter is an initial, and proves nothing. */
const minLetters = 2;

/**
 * Folds case, accents, width, punctuation and the order of the parts: `Silva, Maria da` is `da maria silva`. It returns
 * an empty text for a text that is no name.
 */
export const foldName = (name: string): string => {
  const folded = foldText(name);
  if (noName.test(folded)) return '';
  const parts = folded.match(part) ?? [];
  const letters = parts.join('').match(/\p{L}/gu) ?? [];
  return letters.length < minLetters ? '' : parts.toSorted().join(' ');
};

/** Whether two texts are the same name. A text that is no name equals none. */
export const isSameName = (a: string, b: string): boolean => {
  const folded = foldName(a);
  return folded !== '' && folded === foldName(b);
};
