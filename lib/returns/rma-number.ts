/** Crockford's base 32: no I, L, O or U, so that a number can be read out and typed. https://www.crockford.com/base32.html */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const checkModulus = 37n;

const encode = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value, i = 0; i < length; i += 1, rest /= 32n) text = `${alphabet[Number(rest % 32n)] ?? ''}${text}`;
  return text;
};

/**
 * An RMA number: ten characters of 50 random bits and Crockford's check character (modulo 37, which catches every
 * single wrong character and every swap of two neighbours). Five of the 37 check values need a sign that no scanner
 * or keyboard likes; the value is then counted up to the next one whose check is a plain character.
 *
 * @param random at least 50 random bits
 */
export const rmaNumber = (random: bigint): string => {
  let value = BigInt.asUintN(50, random);
  while (value % checkModulus >= 32n) value = BigInt.asUintN(50, value + 1n);
  return encode(value, 10) + encode(value % checkModulus, 1);
};
