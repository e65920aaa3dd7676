/** Actions on one resource; with `partitions`, only on table keys that match one of them. */
export type Permission = {
  readonly actions: readonly string[];
  /** The ARN as an intrinsic; `*` only for actions without resources. */
  readonly resource: object | '*';
  readonly partitions?: readonly string[];
  /** The only address that may be the sender of a mail. */
  readonly sender?: object;
  /** The condition of the template without which the permission is not needed. */
  readonly condition?: string;
};

export const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });

export const actionsOn =
  (service: string, resource: object) =>
  (...names: readonly string[]): Permission => ({ actions: names.map((name) => `${service}:${name}`), resource });

/** Restricts a permission to these partition keys. */
export const inPartitions = (permission: Permission, ...partitions: readonly string[]): Permission => ({
  ...permission,
  partitions,
});
