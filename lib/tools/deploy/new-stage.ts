import type { Template } from '../template/cloudformation/template.ts';
import type { Offer } from '../template/offer.ts';

/** What a new file of a stage holds before a person completes it. */
type NewStage = { readonly offer: Offer; readonly template: Template; readonly region: string };

const shownDefault = (value: string | number): string => (value === '' ? 'none' : String(value));

/**
 * Returns the text of a new stage file: each required parameter with an empty value, which the check rejects, and each
 * other one as a comment with its default. A member that begins with `//` is a comment, because JSON has none.
 */
export const newStageText = ({ offer, template, region }: NewStage): string => {
  const { mode, adapter } = offer;
  const all = Object.entries(template.Parameters ?? {}).filter(([name]) => name !== 'Stage' && name !== 'Adapter');
  const required = all.filter(([, { Default }]) => Default === undefined);
  const others = all.filter(([, { Default }]) => Default !== undefined);
  const parameters = Object.fromEntries([
    ...required.flatMap(([name, { Description = '' }]) => [
      [`// ${name}`, `Required. ${Description}.`],
      [name, ''],
    ]),
    ...others
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { Description = '', Default = '' }]) => [
        `// ${name}`,
        `Default: ${shownDefault(Default)}. ${Description}.`,
      ]),
  ]) as Readonly<Record<string, string>>;
  const stage = { mode, ...(adapter !== undefined && { adapter: adapter.name }), region, parameters };
  return `${JSON.stringify(stage, null, 2)}\n`;
};
