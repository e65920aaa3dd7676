/**
 * Crockford's base 32. It lacks I, L, O and U, so that a number can be read aloud and typed.
 * https://www.crockford.com/base32.html
 */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const checkModulus = 37n;

const encode = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value, i = 0; i < length; i += 1, rest /= 32n) text = `${alphabet[Number(rest % 32n)] ?? ''}${text}`;
  return text;
};

/**
 * Makes an RMA number: ten characters of 50 random bits and Crockford's check character.
 * The check is modulo 37: it detects every single wrong character and every swap of two neighbours. Five of the 37
 * check values need a symbol that scanners and keyboards handle badly. The function then counts the value up to the
 * next one with a plain check character.
 *
 * @param random at least 50 random bits
 */
export const rmaNumber = (random: bigint): string => {
  let value = BigInt.asUintN(50, random);
  while (value % checkModulus >= 32n) value = BigInt.asUintN(50, value + 1n);
  return encode(value, 10) + encode(value % checkModulus, 1);
};
