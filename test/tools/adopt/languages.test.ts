import { describe, expect, it } from 'vitest';
import { adopted, holesOf, proposalsOf, sourceOf } from './adopted.ts';

/* Descriptions in the languages of services, with the words that their authors use for paths and fields. */

type Language = {
  readonly paths: Readonly<Record<'list' | 'one' | 'approve' | 'reject' | 'receive' | 'cancel', string>>;
  readonly page: readonly [page: string, size: string];
  readonly wrapper: string;
  readonly fields: Readonly<Record<'id' | 'state' | 'order' | 'created' | 'lines' | 'lineId' | 'quantity', string>>;
};

const spanish: Language = {
  paths: {
    list: '/devoluciones',
    one: '/devoluciones/{numeroDevolucion}',
    approve: '/devoluciones/{numeroDevolucion}/aprobación',
    reject: '/devoluciones/{numeroDevolucion}/rechazo',
    receive: '/devoluciones/{numeroDevolucion}/recepcion',
    cancel: '/devoluciones/{numeroDevolucion}/anulacion',
  },
  page: ['pagina', 'tamanoPagina'],
  wrapper: 'resultados',
  fields: {
    id: 'numeroDevolucion',
    state: 'estado',
    order: 'numeroPedido',
    created: 'fechaCreacion',
    lines: 'articulos',
    lineId: 'numeroLinea',
    quantity: 'cantidad',
  },
};

const french: Language = {
  paths: {
    list: '/retours',
    one: '/retours/{idRetour}',
    approve: '/retours/{idRetour}/approbation',
    reject: '/retours/{idRetour}/refus',
    receive: '/retours/{idRetour}/réception',
    cancel: '/retours/{idRetour}/annulation',
  },
  page: ['numeroPage', 'taille'],
  wrapper: 'données',
  fields: {
    id: 'idRetour',
    state: 'statut',
    order: 'numeroCommande',
    created: 'creeLe',
    lines: 'lignes',
    lineId: 'numeroLigne',
    quantity: 'quantité',
  },
};

const german: Language = {
  paths: {
    list: '/ruecksendungen',
    one: '/ruecksendungen/{ruecksendungsnummer}',
    approve: '/ruecksendungen/{ruecksendungsnummer}/genehmigung',
    reject: '/ruecksendungen/{ruecksendungsnummer}/ablehnung',
    receive: '/ruecksendungen/{ruecksendungsnummer}/wareneingang',
    cancel: '/ruecksendungen/{ruecksendungsnummer}/stornierung',
  },
  page: ['seite', 'seitengröße'],
  wrapper: 'ergebnisse',
  fields: {
    id: 'ruecksendungsnummer',
    state: 'zustand',
    order: 'bestellnummer',
    created: 'erstellungsdatum',
    lines: 'positionen',
    lineId: 'positionsnummer',
    quantity: 'menge',
  },
};

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };

/** Returns the description of a service in a language. Fields that mean nothing to the core come first. */
const descriptionIn = ({ paths, page, wrapper, fields }: Language) => {
  const line = {
    type: 'object',
    required: [fields.lineId, fields.quantity],
    properties: { ean: text, [fields.lineId]: text, [fields.quantity]: { type: 'integer' } },
  };
  const item = {
    type: 'object',
    required: Object.values(fields),
    properties: {
      canal: text,
      [fields.id]: text,
      [fields.state]: { type: 'string', enum: ['A', 'B'] },
      [fields.order]: text,
      [fields.created]: text,
      [fields.lines]: { type: 'array', items: line },
    },
  };
  const answered = { responses: { '200': json({ $ref: '#/components/schemas/Item' }) } };
  const list = json({
    type: 'object',
    properties: { [wrapper]: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
  });
  return {
    openapi: '3.0.3',
    paths: {
      [paths.list]: {
        get: {
          parameters: page.map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
          responses: { '200': list },
        },
      },
      [paths.one]: { get: answered },
      ...Object.fromEntries(
        [paths.approve, paths.reject, paths.receive, paths.cancel].map((path) => [path, { post: answered }]),
      ),
    },
    components: { schemas: { Item: item } },
  };
};

describe.each([
  ['Spanish', spanish],
  ['French', french],
  ['German', german],
] as const)('a description in %s', (_, language) => {
  const { paths, fields, page, wrapper } = language;
  const result = adopted(descriptionIn(language));

  it('has a proposal for each request about returns', () => {
    expect(proposalsOf(result).toSorted()).toEqual(
      [
        `listReturns GET ${paths.list} high`,
        `getReturn GET ${paths.one} high`,
        `approve POST ${paths.approve} high`,
        `reject POST ${paths.reject} high`,
        `receive POST ${paths.receive} high`,
        `cancel POST ${paths.cancel} high`,
      ].toSorted(),
    );
  });

  it('has a guess for each field of the core, and for its pages', () => {
    const source = sourceOf(result, 'adapter.ts');
    const guesses = holesOf(source).map(({ proposed = '' }) => proposed);
    const access = (variable: string, name: string) =>
      /^\w+$/.test(name) ? `${variable}.${name}` : `${variable}[${JSON.stringify(name)}]`;
    expect(guesses).toEqual(
      expect.arrayContaining([
        access('item', fields.id),
        access('item', fields.state),
        access('item', fields.order),
        access('item', fields.created),
        access('line', fields.lineId),
        access('line', fields.quantity),
      ]),
    );
    expect(source).toContain(`${access('item', fields.lines)}.map((line)`);
    for (const name of [...page, wrapper]) expect(source).toContain(name);
  });
});
