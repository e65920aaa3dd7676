/** A function of the template. */
export type FunctionSpec = {
  readonly arn: string;
  /** Its key in serverless.yml. */
  readonly key: string;
  readonly name: string;
  /** ARN of the role that it runs under. */
  readonly role: string;
  /** `<folder>/index.handler`, below the root of the code. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether Lambda lets the function invoke itself by way of a queue, time and again. */
  readonly recursiveLoop?: 'Allow' | 'Terminate';
};
