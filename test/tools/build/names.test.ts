import { globSync, readFileSync } from 'node:fs';
import { type BindingPattern, type Function, parseSync, type ParamPattern, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

/** Private names of locals. A variable has the name of its type or of its role: the standard's or the field's word. */
const names: ReadonlySet<string> = new Set([
  'slot',
  'pass',
  'holder',
  'question',
  'standing',
  'ready',
  'look',
  'made',
  'lead',
  'walk',
  'one',
  'each',
]);

/** Words that are replaced by plain ones, in names and in comments. */
const word = /(?<![a-z])(told|anew|whoever|mend|nobody|somebody|strangers?)(?![a-z])/i;

/** Names that are the field's, by file. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // The word of readline for the text of a prompt.
  'lib/tools/cli/confirm.ts': ['question'],
  // A check has passed: the command prints this word.
  'lib/tools/deploy/aws-call.ts': ['pass'],
};

/** Returns the words of a name: `isOfStranger` has `is`, `Of` and `Stranger`. */
const wordsOf = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, ' ');

/** Returns the identifiers that a pattern declares. */
const declared = (pattern: BindingPattern | ParamPattern): readonly string[] => {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        declared(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) =>
        element === null ? [] : declared(element.type === 'RestElement' ? element.argument : element),
      );
    case 'AssignmentPattern':
      return declared(pattern.left);
    case 'RestElement':
      return declared(pattern.argument);
    case 'TSParameterProperty':
      return declared(pattern.parameter);
  }
};

/** Returns the forbidden names and words of a source, each once. */
const findings = (file: string, text: string): readonly string[] => {
  const { program, comments } = parseSync(file, text);
  const found = new Set<string>();
  const note = (name: string) => {
    if (names.has(name)) found.add(`name ${name}`);
  };
  const noteFunction = ({ id, params }: Pick<Function, 'params'> & { readonly id?: Function['id'] }) => {
    for (const name of [...(id ? [id.name] : []), ...params.flatMap(declared)]) note(name);
  };
  new Visitor({
    Identifier: ({ name }) => {
      const used = word.exec(wordsOf(name))?.[0];
      if (used !== undefined) found.add(`word ${used} in ${name}`);
    },
    VariableDeclarator: ({ id }) => declared(id).forEach(note),
    CatchClause: ({ param }) => (param === null ? [] : declared(param)).forEach(note),
    FunctionDeclaration: noteFunction,
    FunctionExpression: noteFunction,
    ArrowFunctionExpression: ({ params }) => noteFunction({ params }),
    TSFunctionType: ({ params }) => noteFunction({ params }),
    TSMethodSignature: ({ params }) => noteFunction({ params }),
  }).visit(program);
  for (const { value } of comments) {
    const used = word.exec(value)?.[0];
    if (used !== undefined) found.add(`word ${used} in a comment`);
  }
  return [...found].filter((finding) => !allowed[file]?.includes(finding.replace('name ', '')));
};

/** A file without any of these texts needs no parser. */
const candidate = new RegExp(`\\b(?:${[...names].join('|')})\\b|${word.source}`, 'i');

describe('names of lib', () => {
  it('are found where they are private', () => {
    const source = `
      // Somebody else reads it.
      const slot = 1, one = [1].map((each) => each);
      const { a: holder, ...rest } = { a: 1, look: 2 };
      function pass([question = 1], { standing }) {}
      const read = (ready, made) => { try { wait(); } catch (lead) {} };
      const ofStranger: (walk: number) => void = rest.look, toldFrom = () => remade;
      const remade = { pass: 1 }.pass, mended = 'nobody', retold = 1;`;
    expect(findings('a.ts', source).toSorted()).toEqual([
      'name each',
      'name holder',
      'name lead',
      'name made',
      'name one',
      'name pass',
      'name question',
      'name ready',
      'name slot',
      'name standing',
      'name walk',
      'word Somebody in a comment',
      'word Stranger in ofStranger',
      'word told in toldFrom',
    ]);
  });

  it('are the words of the field, and comments are plain', () => {
    const files = globSync('lib/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/'));
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return candidate.test(text) ? findings(file, text).map((finding) => `${file}: ${finding}`) : [];
    });
    expect(found).toEqual([]);
  });
});
