/*
 * pick EXPRESSION: reads JSON and prints a part of it, such as `status` or `lines[0].lineId`. An expression in brackets
 * names the JSON itself: `[input.returnId, input.status]`. It prints text as it is, anything else as JSON.
 * `.local/env.sh` calls it.
 */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

/** @type {(message: string) => never} */
const fail = (message) => {
  console.error(`pick: ${message}`);
  process.exit(1);
};

const [, , expression = ''] = process.argv;
if (expression === '') fail('an expression is missing, such as: pick status');
const text = readFileSync(0, 'utf8');
if (text.trim() === '') fail('the input is empty');

/** @type {() => unknown} */
const parsed = () => {
  try {
    return JSON.parse(text);
  } catch {
    return fail('the input is not JSON');
  }
};

/** A list or a group, and not an index such as `[0]` or `["line-id"]`. */
const isBracketed = /^\s*(?:\(|\[(?!\s*(?:\d+|"[^"]*"|'[^']*')\s*\]))/.test(expression);
const prefix = isBracketed ? '' : /^\s*[.[]/.test(expression) ? 'input' : 'input.';

const input = parsed();
/** @type {() => unknown} */
const picked = () => {
  try {
    return runInNewContext(`${prefix}${expression}`, { input });
  } catch (error) {
    return fail(`${expression}: ${error instanceof Error || error instanceof Object ? error.message : error}`);
  }
};

const value = picked();
if (value === undefined) fail(`the input has no ${expression}`);
console.log(typeof value === 'string' ? value : JSON.stringify(value));
