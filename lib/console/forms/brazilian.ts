/** The words that differ in Brazil, in the forms that the hints have. */
const inBrazil: readonly (readonly [RegExp, string])[] = [
  [/\bda encomenda\b/g, 'do pedido'],
  [/\bA encomenda\b/g, 'O pedido'],
  [/\btoda a encomenda\b/g, 'todo o pedido'],
  [/\bpelos portes\b/g, 'pelo frete'],
  [/\bArtigos\b/g, 'Itens'],
  [/\bartigos\b/g, 'itens'],
  [/\bartigo\b/g, 'item'],
  [/\bvolume(s?)\b/g, 'pacote$1'],
  [/\bequipa\b/g, 'equipe'],
  [/\bbónus\b/g, 'bônus'],
  [/\bregista/g, 'registra'],
  [/\bregisto\b/g, 'registro'],
  [/\bseguimento\b/g, 'rastreamento'],
  [/\b([Pp])or omissão\b/g, '$1or padrão'],
  [/\bpor palavras\b/g, 'em palavras'],
  [/\b[Tt](?:al|ais) como\b/g, 'como'],
];

/** Returns a hint in the Portuguese of Brazil. */
export const brazilian = (text: string): string =>
  inBrazil.reduce((so, [word, other]) => so.replaceAll(word, other), text);
