import type { OfferableName } from '../../adapters/adapter.ts';
import { wordsOf } from './names.ts';

/* The words by which paths, states and fields are found: English, Portuguese, Spanish, German, French, Dutch. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words of a path that name returns. */
export const returnWords = words(`return returns rma rmas returnorder returnorders devolucao devolucoes devolucion
  devoluciones devolution devolutions retour retours retoure retouren retourzending ruecksendung ruecksendungen
  rucksendung rucksendungen rueckgabe rueckgaben ruckgabe ruckgaben reso resi`);

/** Words that may stand beside the word for returns in one segment of a path. */
export const neutralWords = words(`a api of de do da the and customer customers item items job jobs list order orders
  process product products request requests sale sales case cases merchandise authorization authorizations
  pedido pedidos cliente clientes solicitacao solicitacoes solicitud solicitudes kunden auftrag auftraege auftrage
  bestellung bestellungen commande commandes client clients demande demandes des du la les el los`);

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
export const listWords = words(`all find filter list query search lista listar listado buscar busqueda pesquisar
  suche liste rechercher recherche`);
export const detailWords = words('detail details get info single detalhe detalhes detalle detalles');
export const createWords = words(`create new open register criar nova novo abrir crear nueva nuevo anlegen erstellen neu
  creer nouveau nouvelle`);
export const reasonWords = words(
  'reason reasons motivo motivos grund gruende grunde motif motifs raison raisons reden redenen causa causas razon razones',
);
/** Words of a path that is about something else than one return. */
export const otherWords = words(`webhook webhooks export exports count counts metric metrics setting settings config
  configuration configurations policy policies template templates statistic statistics report reports eligibility
  preview estimate label labels document documents history events audit log logs timeline transitions historico
  historial verlauf historique etiqueta etiquetas etikett etiketten etiquette etiquettes documento documentos
  dokument dokumente`);
/** Segments of a path with one call for several commands. */
export const dispatchWords = words(
  'action actions perform command commands acao acoes accion acciones aktion aktionen',
);

/** Our commands by words of theirs, in the order in which they are tried. */
export const commandWords: ReadonlyMap<OfferableName, ReadonlySet<string>> = new Map([
  [
    'approve',
    words(`approve approved approval accept accepted acceptance authorize authorise authorized aprovar aprovacao
    aprova aprobar aprobacion aceptar aceptacion aceitar genehmigen genehmigung freigeben freigabe annehmen annahme
    approuver approbation accepter acceptation goedkeuren`),
  ],
  [
    'reject',
    words(`reject rejected rejection decline declined deny denied refuse recusar recusa rejeitar rejeicao
    rechazar rechazo ablehnen ablehnung refuser refus afwijzen`),
  ],
  [
    'receive',
    words(`receive received receipt receipts receiving checkin arrive arrived receber recebimento recebida
    recibir recepcion empfangen empfang erhalten wareneingang recevoir reception ontvangen`),
  ],
  [
    'cancel',
    words(`cancel canceled cancelled cancellation void cancelar cancelamento cancela cancelacion anular anulacion
    stornieren stornierung storno abbrechen annuler annulation annuleren`),
  ],
  [
    'inspect',
    words(`inspect inspected inspection inspections grade grading inspecionar inspecao inspeccionar inspeccion
    pruefen pruefung prufen prufung inspecter`),
  ],
  ['exchange', words('exchange exchanges replacement replacements troca trocar cambio umtausch echange')],
  [
    'refund',
    words(`refund refunds refunded reembolso reembolsar reembolsos estorno estornar erstatten erstattung
    rembourser remboursement remboursements`),
  ],
  [
    'complete',
    words(`complete completed completion close closed finish finalize finalise process processed encerrar
    encerramento concluir conclusao fechar finalizar cerrar abschliessen cloturer`),
  ],
  ['reopen', words('reopen reopened reabrir wiedereroeffnen rouvrir')],
  ['addNote', words('note notes comment comments nota notas observacao observacoes notiz notizen')],
]);

/** Fields that wrap the return, or the list of returns. */
export const wrapperWords = words(`data payload result response content body value item embedded list elements records
  results items entity dados datos daten donnees resultado resultados ergebnis ergebnisse resultat resultats elementos
  eintraege eintrage contenido inhalt contenu lista liste`);

/** The last word of a field with the state. */
export const stateWords = words('status state situacao situacion estado etat zustand statut phase');
/** Words of a state that is not the one of the return. */
export const otherStateWords = words('payment refund financial shipping shipment fulfillment delivery tracking label');

/** The words of fields of the core, the best first. */
export const fieldWords = {
  id: [
    /^(return|rma|devolucao|devolucion|retouren?|retour|ruecksendung|rucksendung)s?(order|request)?(id|number|nr|no|code|codigo|numero|nummer)$/,
    /^(id|code|codigo|numero)(de|da|du)?(devolucao|devolucion|retour)$/,
    /^(id|codigo|numero|number|nummer|uuid|protocolo)$/,
    /^rmanumber|returnid/,
  ],
  order: [
    /^(customer|purchase|sales|original|source)?order(id|number|nr|no|ref|reference)$/,
    /^(order|pedido|orderid|numeropedido|pedidoid|auftrag)$/,
    /^(purchase|sale|compra|venda|kauf)(id|number|nr|no|ref|reference|numero)$/,
    /order(id|number|nummer)/,
    /pedido|commande|bestel(lung|ling|l?nummer|lid)|auftrag(s?(nummer|nr|id))?$/,
  ],
  created: [
    /^(created|creation|requested|opened|registered|submitted|criad[ao]|abert[ao]|cread[ao]|abiert[ao]|erstellt|angelegt|creee?)(at|on|date|datetime|time|timestamp|ts|em|en|el|am|le)?$/,
    /^(date|fecha|data)(de|da)?(creation|creacion|criacao|alta|apertura|abertura|demande|solicitud|solicitacao)/,
    /^(erstell|anlage)(ungs?)?(datum|zeit|zeitpunkt)$/,
    /(created|creation|registration|return|requested|order)(date|datetime|time)/,
    /^(date|fecha|datum)|^data(criacao|de|abertura|pedido|solicitacao)/,
    /cria|creat/,
  ],
  lines: [
    /^(return)?(order)?(lines?|items?|itens|lineitems?|orderlines?|positionen|artikel|articles|articulos|lineas|lignes|products|produtos|productos|produits|produkte)$/,
    /(lines?|items?|itens)$/,
  ],
  lineId: [
    /^(return)?(order)?(line|item|linea|ligne|positions?|posicion)?(id|number|nr|no|sequencia|sequence|codigo|numero|nummer)$/,
    /^(id|codigo|numero)(de)?(linea|ligne|position|posicion)$|^(linea|ligne|position|posicion)$/,
    /(line|item)(id|number)/,
    /id$/,
  ],
  quantity: [/^(quantity|qty|quantidade|cantidad|menge|anzahl|quantite|aantal)$/, /quantit|qty|quantidade|expected/],
  code: [/^(code|codigo|id|value|key|name)$/, /code|id/],
  label: [
    /^(label|labels|name|description|descricao|descripcion|text|title|message|nombre|libelle|bezeichnung|beschreibung)$/,
    /label|descri|name|libelle|bezeich|beschreib/,
  ],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

/** The words of query parameters and fields of pages. */
export const pageWords = {
  page: /^(page|pagenumber|pageno|pageindex|pagina|seite|seitennummer|numeropagina|numerodepagina|numeropage)$/,
  size: /^(limit|size|pagesize|perpage|count|maxresults|maxresultsperpage|tamanho|tamanopagina|tamano|taillepage|taille|seitengroesse|seitengrosse|limite|resultsperpage|pagelimit|itemsperpage|take)$/,
  offset: /^(offset|skip|start|startindex|from|inicio|debut|desplazamiento|decalage)$/,
  cursor:
    /^(cursor|nextcursor|nexttoken|pagetoken|nextpagetoken|continuationtoken|continuation|paginationtoken|after|startafter|startafterid|cursormark|nextcursormark|marker|nextpage|next)$/,
} as const;
