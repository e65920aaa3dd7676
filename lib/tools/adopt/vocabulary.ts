import type { OfferableName } from '../../adapters/adapter.ts';
import { wordsOf } from './names.ts';

/* The words by which paths, states and fields are found: English, Portuguese, Spanish, German, French, Dutch. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words of a path that name returns. */
export const returnWords = words(`return returns rma rmas returnorder returnorders devolucao devolucoes devolucion
  devoluciones devolution devolutions retour retours retoure retouren retourzending ruecksendung ruecksendungen
  rucksendung rucksendungen reso resi`);

/** Words that may stand beside the word for returns in one segment of a path. */
export const neutralWords = words(`a api of de do da the and customer customers item items job jobs list order orders
  process product products request requests sale sales case cases merchandise authorization authorizations
  pedido pedidos cliente clientes solicitacao solicitacoes kunden auftrag`);

/**
 * Returns the words of a resource that a person names by a word or a path, in the singular and the plural. The last
 * segment of a path that is no parameter has the name. Empty for a text without a letter or a digit.
 */
export const wordsOfResource = (resource: string): ReadonlySet<string> => {
  const name = resource.split('/').findLast((segment) => /[^\s]/.test(segment) && !segment.startsWith('{')) ?? '';
  const all = wordsOf(name);
  const own = all.filter((word) => !neutralWords.has(word));
  return new Set((own.length === 0 ? all : own).flatMap((word) => [word, word.replace(/(?<=..)s$/, ''), `${word}s`]));
};

/** Segments of a path that list, such as `/returns/search`. */
export const listWords = words('all find filter list query search lista listar buscar pesquisar suche liste');
export const detailWords = words('detail details get info single detalhe detalhes detalle');
export const createWords = words('create new open register criar nova novo abrir crear anlegen creer');
export const reasonWords = words('reason reasons motivo motivos grund gruende motif motifs reden redenen causa causas');
/** Words of a path that is about something else than one return. */
export const otherWords = words(`webhook webhooks export exports count counts metric metrics setting settings config
  configuration configurations policy policies template templates statistic statistics report reports eligibility
  preview estimate label labels document documents history events audit log logs timeline transitions historico
  historial verlauf`);
/** Segments of a path with one call for several commands. */
export const dispatchWords = words(
  'action actions perform command commands acao acoes accion acciones aktion aktionen',
);

/** Our commands by words of theirs, in the order in which they are tried. */
export const commandWords: ReadonlyMap<OfferableName, ReadonlySet<string>> = new Map([
  [
    'approve',
    words(`approve approved approval accept accepted acceptance authorize authorise authorized aprovar aprovacao
    aprova aprobar aceptar aceitar genehmigen annehmen approuver accepter goedkeuren`),
  ],
  [
    'reject',
    words(`reject rejected rejection decline declined deny denied refuse recusar recusa rejeitar rejeicao
    rechazar ablehnen refuser afwijzen`),
  ],
  [
    'receive',
    words(`receive received receipt receipts receiving checkin arrive arrived receber recebimento recebida
    recibir empfangen erhalten recevoir ontvangen`),
  ],
  [
    'cancel',
    words(`cancel canceled cancelled cancellation void cancelar cancelamento cancela stornieren abbrechen annuler
    annuleren`),
  ],
  [
    'inspect',
    words(`inspect inspected inspection inspections grade grading inspecionar inspecao inspeccionar pruefen
    prufen inspecter`),
  ],
  ['exchange', words('exchange exchanges replacement replacements troca trocar cambio umtausch echange')],
  [
    'refund',
    words(`refund refunds refunded reembolso reembolsar reembolsos estorno estornar erstatten erstattung
    rembourser remboursement`),
  ],
  [
    'complete',
    words(`complete completed completion close closed finish finalize finalise process processed encerrar
    encerramento concluir conclusao fechar finalizar cerrar abschliessen cloturer`),
  ],
  ['reopen', words('reopen reopened reabrir wiedereroeffnen rouvrir')],
  ['addNote', words('note notes comment comments nota notas observacao observacoes notiz notizen')],
]);

/** The last word of a field with the state. */
export const stateWords = words('status state situacao situacion estado etat zustand statut phase');
/** Words of a state that is not the one of the return. */
export const otherStateWords = words('payment refund financial shipping shipment fulfillment delivery tracking label');

/** The words of fields of the core, the best first. */
export const fieldWords = {
  id: [
    /^(return|rma|devolucao|devolucion|retour)(order|request)?(id|number|nr|no|code|codigo|numero)$/,
    /^(id|codigo|numero|number|uuid|protocolo)$/,
    /^rmanumber|returnid/,
  ],
  order: [
    /^(customer|purchase|sales|original|source)?order(id|number|nr|no|ref|reference)$/,
    /^(order|pedido|orderid|numeropedido|pedidoid|auftrag)$/,
    /^(purchase|sale|compra|venda|kauf)(id|number|nr|no|ref|reference|numero)$/,
    /order(id|number)/,
    /pedido/,
  ],
  created: [
    /^(created|creation|requested|opened|registered|submitted|criad[ao]|abert[ao]|creado|abiert[ao]|erstellt)(at|on|date|datetime|time|timestamp|ts|em|en|am)?$/,
    /(created|creation|registration|return|requested|order)(date|datetime|time)/,
    /^(date|fecha|datum)|^data(criacao|de|abertura|pedido|solicitacao)/,
    /cria|creat/,
  ],
  lines: [
    /^(return)?(order)?(lines?|items?|itens|lineitems?|orderlines?|positionen|articles|products|produtos)$/,
    /(lines?|items?|itens)$/,
  ],
  lineId: [
    /^(return)?(order)?(line|item)?(id|number|nr|no|sequencia|sequence|codigo)$/,
    /(line|item)(id|number)/,
    /id$/,
  ],
  quantity: [/^(quantity|qty|quantidade|cantidad|menge|anzahl|quantite|aantal)$/, /quantit|qty|quantidade|expected/],
  code: [/^(code|codigo|id|value|key|name)$/, /code|id/],
  label: [/^(label|labels|name|description|descricao|text|title|message)$/, /label|descri|name/],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

/** The words of query parameters and fields of pages. */
export const pageWords = {
  page: /^(page|pagenumber|pageno|pageindex|pagina|seite|numeropagina)$/,
  size: /^(limit|size|pagesize|perpage|count|maxresults|maxresultsperpage|tamanho|resultsperpage|pagelimit|itemsperpage|take)$/,
  offset: /^(offset|skip|start|startindex|from|inicio)$/,
  cursor:
    /^(cursor|nextcursor|nexttoken|pagetoken|nextpagetoken|continuationtoken|continuation|paginationtoken|after|startafter|startafterid|cursormark|nextcursormark|marker|nextpage|next)$/,
} as const;
