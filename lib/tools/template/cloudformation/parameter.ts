/** A parameter of a template, with its constraints. */
export type Parameter = {
  readonly Type: string;
  readonly Default?: string | number;
  readonly AllowedValues?: readonly (string | number)[];
  readonly AllowedPattern?: string;
  readonly MinLength?: number;
  readonly MinValue?: number;
  readonly Description?: string;
};

/** Returns why CloudFormation would reject a value, as the end of a sentence; undefined for a valid value. */
export const parameterError = (parameter: Parameter, value: string): string | undefined => {
  const { Type, AllowedValues, AllowedPattern, MinLength = 0, MinValue = -Infinity, Description } = parameter;
  if (AllowedValues !== undefined && !AllowedValues.map(String).includes(value))
    return `must be one of ${AllowedValues.join(', ')}`;
  if (AllowedPattern !== undefined && !new RegExp(`^(?:${AllowedPattern})$`).test(value))
    return value === ''
      ? 'must not be empty'
      : `must match ${AllowedPattern}${Description === undefined ? '' : ` (${Description})`}`;
  if (value.length < MinLength) return 'must not be empty';
  if (Type === 'Number' && (value.trim() === '' || !Number.isFinite(Number(value)))) return 'must be a number';
  return Type === 'Number' && Number(value) < MinValue ? `must be at least ${MinValue}` : undefined;
};
