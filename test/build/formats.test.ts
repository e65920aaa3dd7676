import { expect, it } from 'vitest';
import { formatsModule } from '../../lib/build/formats.ts';

type Format = RegExp | ((text: string) => boolean) | { readonly validate: (text: string) => boolean };

const accepts = (format: Format | undefined, text: string): boolean | undefined => {
  if (format instanceof RegExp) return format.test(text);
  return typeof format === 'function' ? format(text) : format?.validate(text);
};

it('takes the formats that are named, however ajv writes them down', async () => {
  const source = Buffer.from(formatsModule(['date-time', 'email', 'uri'])).toString('base64');
  const { formats } = (await import(`data:text/javascript;base64,${source}`)) as { formats: Record<string, Format> };
  expect(Object.keys(formats)).toEqual(['date-time', 'email', 'uri']);
  for (const [name, good] of [
    ['date-time', '2026-11-23T08:00:00Z'],
    ['email', 'a@b.example'],
    ['uri', 'https://b.example/'],
  ] as const) {
    expect([accepts(formats[name], good), accepts(formats[name], 'no such thing')]).toEqual([true, false]);
  }
});

it('takes none that there is not', () => {
  expect(() => formatsModule(['sku'])).toThrow('has no format sku');
});
