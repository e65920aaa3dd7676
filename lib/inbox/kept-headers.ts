/** Headers that let whoever has them in, or may: deliveries are kept and shown without them. */
const confidential = /auth|cookie|token|secret|passw|credential|session|key$/;

const mostBytes = 16 * 1024;

/** What is kept of a delivery's headers: all but credentials, as many of the first as are 16 KiB together. */
export const keptHeaders = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const kept: Record<string, string> = {};
  let room = mostBytes;
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (value === undefined || confidential.test(lower)) continue;
    room -= Buffer.byteLength(lower) + Buffer.byteLength(value);
    if (room < 0) break;
    kept[lower] = value;
  }
  return kept;
};
