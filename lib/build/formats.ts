import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const file = createRequire(import.meta.url).resolve('ajv-formats/dist/formats');

/**
 * An ES module with those of ajv's formats that are named. Theirs is CommonJS and one object of them all: whoever names
 * one has 10 kB of expressions for the others.
 *
 * @throws {Error} when there is none of that name
 */
export const formatsModule = (names: Iterable<string>): string => {
  const source = readFileSync(file, 'utf8');
  const [, helpers = '', all = ''] = /(function fmtDef[^]*?)exports\.fullFormats = \{([^]*?)^\};$/m.exec(source) ?? [];
  const [, rest = ''] = source.split('exports.formatNames = Object.keys(exports.fullFormats);');
  const taken = Array.from(names, (name) => {
    const [entry, definition = name] = new RegExp(`^ {4}"?${name}"?(?:: (.+))?,$`, 'm').exec(all) ?? [];
    if (entry === undefined) throw new Error(`${file} has no format ${name}`);
    return `${JSON.stringify(name)}: ${definition}`;
  });
  return `${helpers}${rest}\nexport const formats = { ${taken.join(', ')} };`;
};
