import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** The maximum cost of a query. https://shopify.dev/docs/apps/build/apis/graphql-admin/rate-limits */
export const maxPoints = 1_000;

const firstOf = (field: FieldNode): number | undefined => {
  const value = field.arguments?.find(({ name }) => name.value === 'first')?.value;
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
};

const fieldsOf = (set: SelectionSetNode | undefined): readonly FieldNode[] =>
  (set?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT ? fieldsOf(selection.selectionSet) : [];
  });

/**
 * Returns the cost by Shopify's older, more expensive rule. An object is one point; a field with `first` is two, plus
 * that many times its content.
 */
const costOf = (field: FieldNode): number => {
  if (field.selectionSet === undefined || field.name.value === 'pageInfo') return 0;
  const inside = fieldsOf(field.selectionSet).reduce((sum, child) => sum + costOf(child), 0);
  const first = firstOf(field);
  // `nodes` is the node itself; its connection has counted the number.
  if (first !== undefined) return 2 + first * Math.max(1, inside);
  return 1 + inside;
};

/** Returns the points that a query would be charged before it runs. */
export const queryCost = (document: DocumentNode): number =>
  document.definitions
    .filter(
      (definition): definition is Exclude<typeof definition, FragmentDefinitionNode> =>
        definition.kind === Kind.OPERATION_DEFINITION,
    )
    .flatMap((definition) => ('selectionSet' in definition ? fieldsOf(definition.selectionSet) : []))
    .reduce((sum, field) => sum + costOf(field), 0);
