/** Returns a document with a generated block, between `<!-- name -->` and `<!-- /name -->`. */
export const withBlock = (document: string, name: string, block: string): string => {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [begin, end] = [document.indexOf(opening), document.indexOf(closing)];
  if (begin === -1 || end < begin) throw new Error(`the document has no place for it: ${opening} and ${closing}`);
  return `${document.slice(0, begin + opening.length)}\n${block}\n${document.slice(end)}`;
};
