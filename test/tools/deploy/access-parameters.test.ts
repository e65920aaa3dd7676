import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessVariable } from '../../../lib/runtime/configuration/access-settings.ts';
import { type AccessSetting, accessSettingNames, parseServiceAccess } from '../../../lib/runtime/service-access.ts';
import { accessParameters } from '../../../lib/tools/template/access-parameters.ts';
import { parameterError } from '../../../lib/tools/template/cloudformation/parameter.ts';
import { runs } from '../../support/samples.ts';

/** Returns the parameter of a setting: ServicePath of `servicePath`. */
const parameterOf = (setting: AccessSetting) => `${setting[0]?.toUpperCase()}${setting.slice(1)}`;

const isAccepted = (setting: AccessSetting, value: string): boolean => {
  const parameter = accessParameters[parameterOf(setting)];
  return parameter !== undefined && parameterError({ Type: 'String', ...parameter }, value) === undefined;
};

/** Pieces of values, so that many generated ones are nearly valid. */
const signs = ['/', '.', '~', ' ', '=', ',', '\n', '\r', '\t', ':', '%', '"', '\\', '[', 'é', '0', '9', 'a', 'B'];
const words = [
  '/..',
  '__proto__',
  'v1',
  '86400',
  'form',
  'basic',
  'json',
  'none',
  'Bearer',
  'Authorization',
  'Host',
  'te',
  'X-A',
  'X-B=c',
];
const names = [
  'Content-',
  'If-',
  'accept',
  'access_token',
  'expires_in',
  'scope',
  'returns:',
  'write',
  'returns:read=',
];
const pieces = fc.constantFrom(...signs, ...words, ...names);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

/** Whether a list has a name twice, which no pattern can see. */
const hasTwice = (value: string, separator: string): boolean => {
  const names = value.split(separator).map((pair) => pair.split('=')[0]?.toLowerCase());
  return new Set(names).size < names.length;
};

describe('parameters of the access', () => {
  it('are the settings of the access', () => {
    expect(Object.keys(accessParameters).toSorted()).toEqual(accessSettingNames().map(parameterOf).toSorted());
  });

  it('have the defaults of the functions, which their parsers accept', () => {
    const defaults = Object.fromEntries(
      accessSettingNames().map((setting) => [setting, accessParameters[parameterOf(setting)]?.Default]),
    );
    expect(parseServiceAccess(defaults)).toEqual(parseServiceAccess({}));
    for (const setting of accessSettingNames()) expect(isAccepted(setting, String(defaults[setting]))).toBe(true);
  });

  it.each(accessSettingNames())('accept as %s what the functions accept', (setting) => {
    fc.assert(
      fc.property(texts, (value) => {
        const isParsed = parseServiceAccess({ [setting]: value }).ok;
        const twice = hasTwice(value, setting === 'serviceHeaders' ? '\n' : ',');
        if (!isParsed && twice) return;
        expect({ value, isAccepted: isAccepted(setting, value) }).toEqual({ value, isAccepted: isParsed });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('have the variables of the functions', () => {
    expect(accessSettingNames().map(accessVariable)).toEqual([
      'SERVICE_PATH',
      'TOKEN_PATH',
      'CLIENT_AUTHENTICATION',
      'TOKEN_HEADER',
      'TOKEN_SCHEME',
      'TOKEN_FIELDS',
      'TOKEN_LIFETIME',
      'SERVICE_HEADERS',
      'SERVICE_SCOPES',
    ]);
  });
});
