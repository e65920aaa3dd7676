/** What the page of the console tells its script about the deployment. It contains no secret. */
export type ConsoleConfig = {
  /** The issuer of the tokens (RFC 8414). */
  readonly issuer: string;
  /** The public client with which people sign in. */
  readonly clientId: string;
  /** The audience of the tokens of users. */
  readonly audience: string;
  /** The text before `returns:read` and the other scopes in tokens. */
  readonly scopePrefix: string;
  readonly mode: 'connected' | 'standalone';
};

/** The part of JSON Schema that the forms of the console use. A reference is the name of a schema. */
export type FormSchema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly FormSchema[];
  readonly allOf?: readonly FormSchema[];
  readonly items?: FormSchema;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly patternProperties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly description?: string;
};

/** The bodies of operations by name, and the named schemas that they refer to. */
export type ConsoleForms = {
  readonly bodies: Readonly<Record<string, FormSchema>>;
  readonly schemas: Readonly<Record<string, FormSchema>>;
};

/** What conditions and rules of a policy may name, for the editor of the console. */
export type PolicyTerms = {
  /** The kinds of the facts by their names. */
  readonly facts: Readonly<Record<string, string>>;
  /** Values of facts in the golden cases of the standard policy, as examples. */
  readonly examples: Readonly<Record<string, string>>;
  /** The operators by the kind of a fact. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
  /** The phases in the order of the evaluation. A rule has exactly one of the effects of its phase. */
  readonly phases: readonly {
    readonly name: string;
    /** Whether rules of the phase may use facts of one line. */
    readonly isPerLine: boolean;
    readonly effects: readonly string[];
  }[];
  /** The types of fees whose rules may not use facts of one line. */
  readonly wholeFees: readonly string[];
};
