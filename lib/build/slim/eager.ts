import { parseSync, Visitor, type Span } from 'oxc-parser';

/**
 * The module with parentheses around every function that is an expression; esbuild keeps them. V8 takes such a function
 * for one that is called at once, and compiles it while it reads it. Another it only skims, and reads it again when it is
 * called, as two thirds of the connected getReturn are in a first invocation.
 * https://v8.dev/blog/preparser#pife
 */
export const compiledAtOnce = (file: string, source: string): string => {
  const opening: number[] = [];
  const closing: number[] = [];
  const wrap = ({ start, end }: Span) => {
    opening.push(start);
    closing.push(end);
  };
  const { program } = parseSync(file, source);
  new Visitor({
    ArrowFunctionExpression: wrap,
    // ESTree has one in each method too, which begins with the parameters.
    FunctionExpression: (node) => (source.startsWith('(', node.start) ? undefined : wrap(node)),
  }).visit(program);
  const parentheses = [
    ...closing.map((at) => ({ at, text: ')' })),
    ...opening.map((at) => ({ at, text: '(' })),
  ].toSorted((one, other) => one.at - other.at);
  let from = 0;
  const parts = parentheses.map(({ at, text }) => {
    const part = source.slice(from, at) + text;
    from = at;
    return part;
  });
  return parts.join('') + source.slice(from);
};
