/** The words that differ in Brazil, in the forms that the hints have. */
const inBrazil: readonly (readonly [RegExp, string])[] = [
  [/\bArtigos\b/g, 'Itens'],
  [/\bartigos\b/g, 'itens'],
  [/\bartigo\b/g, 'item'],
  [/\bvolume\b/g, 'pacote'],
  [/\bequipa\b/g, 'equipe'],
  [/\bbónus\b/g, 'bônus'],
  [/Diga porquê/g, 'Diga por quê'],
];

/** Returns a hint in the Portuguese of Brazil. */
export const brazilian = (text: string): string =>
  inBrazil.reduce((so, [word, other]) => so.replaceAll(word, other), text);
