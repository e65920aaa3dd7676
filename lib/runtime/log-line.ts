export type Level = 'debug' | 'info' | 'warn' | 'error';
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;
