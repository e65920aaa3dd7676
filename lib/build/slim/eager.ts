import { parseSync, Visitor, type Span } from 'oxc-parser';

/**
 * Returns the module with parentheses around every function expression; esbuild retains them. V8 expects such a
 * function to be called at once, and compiles it while it reads it. V8 only preparses other functions, and reads them
 * again at the call. That concerns two thirds of the connected getReturn in a first invocation.
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
    // ESTree also has a function expression in each method, which begins with the parameters.
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
