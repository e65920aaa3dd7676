import type { Order } from '../returns/model/order.ts';
import type { Catalogue } from './catalogue.ts';
import { formatsFor } from './formats.ts';

/** The names of order lines for customers, by line id: the title, else the SKU. A line with neither has none. */
export type ItemNames = ReadonlyMap<string, string>;

/** A longer title makes a sentence hard to read. */
const maxTitle = 80;

/** One line of text: titles come from shops, and may have any white space. */
const plain = (title: string): string => title.replaceAll(/\s+/gu, ' ').trim();

const shortened = (title: string): string =>
  title.length <= maxTitle
    ? title
    : `${title
        .slice(0, maxTitle - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;

/** The names of the lines of an order. */
export const itemNames = ({ facts }: Order): ItemNames =>
  new Map(
    facts.lines.flatMap(({ lineId, title = '', sku = '' }) => {
      const name = [title, sku].map(plain).find((text) => text !== '');
      return name === undefined ? [] : [[lineId, shortened(name)] as const];
    }),
  );

/** Units of an order line, such as `1 × Toothbrush`. */
export const itemText = (catalogue: Catalogue, quantity: number, name: string | undefined): string =>
  `${formatsFor(catalogue).number(quantity)} × ${name ?? catalogue.unnamedItem}`;
