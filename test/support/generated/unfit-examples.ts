import { readDocument } from './document.ts';

type Content = { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
type Described = {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
};
type Paths = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

/** Returns what an OpenAPI document shows as an example of a body or of a success, and does not fit its schema. */
export const unfitExamples = (text: string): readonly string[] => {
  const { paths } = JSON.parse(text) as Paths;
  const described = new Map(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation]),
  );
  return readDocument(text).operations.flatMap(({ id, body, responses }) => {
    const { requestBody, responses: shown = {} } = described.get(id) ?? {};
    const answered = [...responses].filter(([status]) => Number(status) < 300);
    return [
      ...(body?.mediaTypes ?? [])
        .filter((type) => body?.validate(requestBody?.content?.[type]?.example) !== true)
        .map((type) => `what ${id} takes as ${type}`),
      ...answered.flatMap(([status, { content }]) =>
        [...content]
          .filter(([type, validate]) => !validate(shown[status]?.content?.[type]?.example))
          .map(() => `what ${id} answers with ${status}`),
      ),
    ];
  });
};
