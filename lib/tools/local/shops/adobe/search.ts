/** A row of the REST API. */
export type Row = Record<string, unknown>;

const compare = (a: unknown, b: string): number =>
  typeof a === 'number' ? a - Number(b) : String(a).localeCompare(b, 'en');

/**
 * Returns the result of a search in rows, for the filters that we use.
 * https://developer.adobe.com/commerce/webapi/rest/use-rest/performing-searches/
 */
export const searchRows = (rows: readonly Row[], query: URLSearchParams): Row => {
  const at = (name: string) => query.get(`searchCriteria${name}`) ?? '';
  let found = [...rows];
  for (let group = 0; at(`[filter_groups][${group}][filters][0][field]`) !== ''; group += 1) {
    const filter = (name: string) => at(`[filter_groups][${group}][filters][0][${name}]`);
    const fits: Readonly<Record<string, (order: number) => boolean>> = {
      eq: (order) => order === 0,
      gt: (order) => order > 0,
      gteq: (order) => order >= 0,
    };
    found = found.filter((row) => fits[filter('condition_type')]?.(compare(row[filter('field')], filter('value'))));
  }
  for (let index = 4; index >= 0; index -= 1) {
    const field = at(`[sortOrders][${index}][field]`);
    if (field !== '') found.sort((a, b) => compare(a[field], String(b[field])));
  }
  const [size, page] = [Number(at('[pageSize]')), Number(at('[currentPage]'))];
  return { items: found.slice((page - 1) * size, page * size), total_count: found.length };
};
