import type { Language } from '../texts/language.ts';

/*
 * The hints of forms in Portuguese, by the text of the contract. A test finds a hint without a translation. They are a
 * file of their own, which only readers of Portuguese load.
 */

const portugal: Readonly<Record<string, string>> = {
  'A merge patch (RFC 7396) of a return. Absent fields stay as they are, and `null` clears a field.':
    'Alterações a uma devolução (RFC 7396). Os campos ausentes ficam como estão.',
  'The new tags. They replace all tags. `null` removes all tags.': 'As novas etiquetas. Substituem todas as etiquetas.',
  'Entries to set. An entry with the value `null` is removed. `null` in place of the object removes all entries.':
    'Os valores a guardar.',
  'The new ids of the return at platforms. They replace all references. `null` removes all references.':
    'Os novos ids da devolução nas plataformas. Substituem todas as referências.',
  'The platform that gave the id.': 'A plataforma que deu o id.',
  'The id at this platform.': 'O id nesta plataforma.',
  'An approval of a return. Units that it does not approve are rejected.':
    'A aprovação de uma devolução. As unidades que não aprova são rejeitadas.',
  'The units to approve: every line of the return exactly once. Without this list, all units are approved.':
    'As unidades a aprovar: cada linha da devolução exatamente uma vez. Se faltar, todas as unidades são aprovadas.',
  'The id of the line of the return.': 'O id da linha da devolução.',
  'Units of the line to approve. The other units of the line are rejected.':
    'Unidades da linha a aprovar. As outras unidades da linha são rejeitadas.',
  'Approves a line that does not qualify, or that lacks evidence.':
    'Aprova uma linha que não cumpre as regras, ou a que faltam provas.',
  'The reason in words, for staff.': 'O motivo por palavras, para a equipa.',
  'Allows less than the law gives the customer. It needs returns:admin, and is recorded as a discrepancy.':
    'Permite menos do que a lei dá ao cliente. Exige returns:admin, e fica registado como discrepância.',
  'Why the law is overridden, as a code.': 'Porque não se aplica a lei, como código.',
  'Set when a platform reported the command as a fact.': 'Preenchido quando uma plataforma comunicou o facto.',
  'A file that the caller wants to upload as evidence for a return or one of its lines.':
    'Um ficheiro a enviar como prova de uma devolução ou de uma das suas linhas.',
  'The line that the file is evidence for. Absent if it is evidence for the whole return.':
    'A linha a que o ficheiro serve de prova. Ausente se for prova de toda a devolução.',
  'The media type of the file.': 'O tipo do ficheiro.',
  'The size of the file in bytes.': 'O tamanho do ficheiro em bytes.',
  'The SHA-256 hash of the file, in base64.': 'O hash SHA-256 do ficheiro, em base64.',
  'A cancellation of units that have not come back. Units cancelled before the decision count only as `cancelled`.':
    'O cancelamento de unidades que não voltaram. As unidades canceladas antes da decisão contam só como `cancelled`.',
  'Why the units are cancelled, as a code.': 'Porque se cancelam as unidades, como código.',
  'Why the units are cancelled, in words.': 'Porque se cancelam as unidades, por palavras.',
  'The units to cancel. When absent, all units that have not come back.':
    'As unidades a cancelar. Se faltar, todas as unidades que não voltaram.',
  'Units of the line to cancel.': 'Unidades da linha a cancelar.',
  'The end of a return.': 'O fim de uma devolução.',
  'Waives money that the customer is still owed. The reason says why.':
    'Dispensa o dinheiro que ainda se deve ao cliente. O motivo diz porquê.',
  'Differences between the recorded and the actual quantities of lines.':
    'Diferenças entre as quantidades registadas e as quantidades reais das linhas.',
  'Why the record is wrong, in words.': 'Porque o registo está errado, por palavras.',
  'The differences, each line once.': 'As diferenças, cada linha uma vez.',
  'Change of the received units. A negative number takes units back.':
    'Alteração das unidades recebidas. Um número negativo retira unidades.',
  'Change of the missing units. A negative number takes units back. Added units have the cause `not_in_parcel`.':
    'Alteração das unidades em falta. Um número negativo retira unidades. As unidades acrescentadas têm a causa `not_in_parcel`.',
  'Change of the accepted units. A negative number takes units back. Added units are quarantined.':
    'Alteração das unidades aceites. Um número negativo retira unidades. As unidades acrescentadas ficam em quarentena.',
  'Change of the refused units. A negative number takes units back. Added units are quarantined.':
    'Alteração das unidades recusadas. Um número negativo retira unidades. As unidades acrescentadas ficam em quarentena.',
  'Units of a line to exchange for a new item.': 'Unidades de uma linha a trocar por um artigo novo.',
  'Units of the line to exchange.': 'Unidades da linha a trocar.',
  'The item that the customer gets in exchange.': 'O artigo que o cliente recebe em troca.',
  'The amount that counts towards the new item. The default is the full worth of the units.':
    'O valor que conta para o artigo novo. Por omissão, o valor total das unidades.',
  'The result of an exchange.': 'O resultado de uma troca.',
  'The new status of the exchange.': 'O novo estado da troca.',
  "The order of the new item, by the shop's own reference.":
    'A encomenda do artigo novo, pela referência da própria loja.',
  'The reason for waiving a fee.': 'O motivo para dispensar uma taxa.',
  'Why the shop waives the fee.': 'Porque a loja dispensa a taxa.',
  'Missing or refused units for which the customer gets money or goods all the same.':
    'Unidades em falta ou recusadas pelas quais o cliente recebe mesmo assim dinheiro ou artigos.',
  'The units to grant, each pair of `lineId` and `of` once.':
    'As unidades a conceder, cada par de `lineId` e `of` uma vez.',
  'Units of the line to grant.': 'Unidades da linha a conceder.',
  'Whether the units are missing or refused.': 'Se as unidades estão em falta ou foram recusadas.',
  'Why the units are granted, as a code.': 'Porque se concedem as unidades, como código.',
  'The results of an inspection: for units of lines, for unexpected items, or for both.':
    'Os resultados de uma inspeção: de unidades das linhas, de artigos inesperados, ou de ambos.',
  'The inspected units. A line can occur in several entries, for example with different grades.':
    'As unidades inspecionadas. Uma linha pode aparecer várias vezes, por exemplo com classes diferentes.',
  'Units of the line with this result.': 'Unidades da linha com este resultado.',
  'Whether the units are accepted or refused.': 'Se as unidades são aceites ou recusadas.',
  'The next step for the units. The default for accepted units is `restock`. Refused units need it.':
    'O passo seguinte das unidades. Por omissão, as unidades aceites têm `restock`. As recusadas precisam dele.',
  'The grade of the condition, as the shop names it, such as A.':
    'A classe do estado, como a loja lhe chama, tal como A.',
  'The deduction from the worth of accepted units, in basis points: 250 is 2.5 %. The terms of the return limit it. Refused units have none.':
    'A dedução ao valor das unidades aceites, em pontos base: 250 são 2,5 %. Os termos da devolução limitam-na. As unidades recusadas não têm nenhuma.',
  'A note on the result.': 'Uma nota sobre o resultado.',
  'Unexpected items without a disposition, each once.': 'Artigos inesperados sem destino, cada um uma vez.',
  'The id of the unexpected item.': 'O id do artigo inesperado.',
  'The next step for the item.': 'O passo seguinte do artigo.',
  'A note on the item.': 'Uma nota sobre o artigo.',
  'A note for staff.': 'Uma nota para a equipa.',
  'The text of the note.': 'O texto da nota.',
  'Who can read the note. `internal`, the default, is staff only.':
    'Quem pode ler a nota. Por omissão é `internal`, só para a equipa.',
  'A parcel of a return. It is inbound until the return is inspected, and outbound afterwards.':
    'Um volume de uma devolução. Vai para a loja até à inspeção, e para o cliente depois dela.',
  'To the shop (`inbound`) or to the customer (`outbound`). The status of the return sets it: another value is refused.':
    'Para a loja (`inbound`) ou para o cliente (`outbound`). O estado da devolução decide-o: outro valor é recusado.',
  'The carrier, such as dhl.': 'A transportadora, tal como dhl.',
  'The tracking number of the carrier.': 'O número de seguimento da transportadora.',
  'The tracking page of the carrier.': 'A página de seguimento da transportadora.',
  'The URL of the shipping label.': 'O URL da etiqueta de envio.',
  'The status of the parcel. The default is `label_created`.': 'O estado do volume. Por omissão, `label_created`.',
  'The units in the parcel. When absent: inbound all outstanding units, outbound all refused units, without those in other parcels.':
    'As unidades no volume. Se faltar: para a loja todas as unidades pendentes, para o cliente todas as recusadas, sem as de outros volumes.',
  'A merge patch (RFC 7396) of a parcel. Absent fields stay as they are, and `null` clears a field. A parcel that is delivered, lost or cancelled does not change its status or its contents. Only a lost parcel can still become delivered.':
    'Alterações a um volume (RFC 7396). Os campos ausentes ficam como estão. Um volume entregue, perdido ou cancelado não muda de estado nem de conteúdo. Só um volume perdido ainda pode ser entregue.',
  'The carrier. `null` removes it.': 'A transportadora.',
  'The tracking number of the carrier. `null` removes it.': 'O número de seguimento da transportadora.',
  'The tracking page of the carrier. `null` removes it.': 'A página de seguimento da transportadora.',
  'The URL of the shipping label. `null` removes it.': 'O URL da etiqueta de envio.',
  'The new status of the parcel.': 'O novo estado do volume.',
  'The units in the parcel. They replace the contents as a whole.':
    'As unidades no volume. Substituem todo o conteúdo.',
  'The answer of the customer: words, attachments, or both.': 'A resposta do cliente: palavras, anexos, ou ambos.',
  'The answer of the customer in words.': 'A resposta do cliente por palavras.',
  'The ids of attachments of the return that belong to the answer.':
    'Os ids dos anexos da devolução que pertencem à resposta.',
  'Goods that arrived. Units that the return does not take become unexpected items.':
    'Artigos que chegaram. As unidades que a devolução não aceita tornam-se artigos inesperados.',
  'The inbound parcel that arrived. The service marks it as delivered.':
    'O volume que chegou à loja. O serviço marca-o como entregue.',
  'The units that arrived. Without this list and unexpected items, the contents of the parcel count as received.':
    'As unidades que chegaram. Sem `lines` e `unexpected`, o conteúdo do volume conta como recebido.',
  'Items that arrived and belong to no line of the return.':
    'Artigos que chegaram e não pertencem a nenhuma linha da devolução.',
  'The SKU of the item.': 'O SKU do artigo.',
  'Units of the item.': 'Unidades do artigo.',
  'Outstanding units that no longer arrive.': 'Unidades pendentes que já não chegam.',
  'Why the units are missing. The default: `not_in_parcel` if anything arrived, `lost_in_transit` if only a parcel was sent, otherwise `never_sent`.':
    'Porque faltam as unidades. Por omissão: `not_in_parcel` se algo chegou, `lost_in_transit` se só foi enviado um volume, senão `never_sent`.',
  'The units that are missing. When absent, all outstanding units.':
    'As unidades em falta. Se ausente, todas as unidades pendentes.',
  'Units of the line that are missing.': 'Unidades da linha em falta.',
  'Why these units are missing. The default is the `cause` of the request.':
    'Porque faltam estas unidades. Por omissão, a `cause` do pedido.',
  'Money that the customer gave back.': 'Dinheiro que o cliente devolveu.',
  'The amount that the customer gave back.': 'O valor que o cliente devolveu.',
  "The payment, by the shop's or the provider's reference.": 'O pagamento, pela referência da loja ou do prestador.',
  'The reason for writing off a recovery.': 'O motivo para anular uma recuperação.',
  'Why the shop no longer asks for the money.': 'Porque a loja já não pede o dinheiro.',
  'A refund to book. Every field has a default.': 'Um reembolso a lançar. Todos os campos têm um valor por omissão.',
  'The units to refund. The default is all units that a refund may pay for now.':
    'As unidades a reembolsar. Por omissão, todas as que um reembolso pode pagar agora.',
  'The amount to refund for shipping. By default the terms of the return decide.':
    'O valor a reembolsar pelos portes. Por omissão decidem os termos da devolução.',
  'The amount to refund for other charges, such as duty. By default, charges go back only with the last units of the whole order, where a law protects it.':
    'O valor a reembolsar por outros encargos, tais como direitos aduaneiros. Por omissão, os encargos só voltam com as últimas unidades de toda a encomenda, onde uma lei o protege.',
  'How the customer gets the money. The default is `original_payment`. A gift allows only `store_credit`, its default, and `gift_card`.':
    'Como o cliente recebe o dinheiro. Por omissão, `original_payment`. Um presente só permite `store_credit`, o seu valor por omissão, e `gift_card`.',
  'The `hash` of the quote that the refund must match. If a fact has changed since the quote, the service refuses with `quote_stale`.':
    'O `hash` do orçamento a que o reembolso tem de corresponder. Se um facto mudou desde então, o serviço recusa com `quote_stale`.',
  'The result of the payment, if you have paid already. Without it the refund is `pending`, and you report the result later.':
    'O resultado do pagamento, se já pagou. Sem ele o reembolso fica `pending`, e o resultado é comunicado mais tarde.',
  'The result of a payment, as the payer reports it.': 'O resultado de um pagamento, como o pagador o comunica.',
  'The new status of the refund.': 'O novo estado do reembolso.',
  "The payment provider's reference for the payment.": 'A referência do pagamento no prestador de pagamentos.',
  "The payment provider's code for a failure.": 'O código de falha do prestador de pagamentos.',
  'When the payment reached the status. The default is the time of the observation, else now.':
    'Quando o pagamento chegou a este estado. Por omissão, a hora da observação, ou agora.',
  'A rejection of a whole return.': 'A rejeição de toda a devolução.',
  'Why the return is rejected, as a code.': 'Porque se rejeita a devolução, como código.',
  'Why the return is rejected, in words for the customer.':
    'Porque se rejeita a devolução, por palavras para o cliente.',
  'The reopening of an ended return.': 'A reabertura de uma devolução terminada.',
  'Why the return is reopened, in words.': 'Porque se reabre a devolução, por palavras.',
  'A question to the customer.': 'Uma pergunta ao cliente.',
  'The question to the customer.': 'A pergunta ao cliente.',
  'A new receiver of events.': 'Um novo recetor de eventos.',
  'The https URL at a public host that receives the events.':
    'O URL https, num servidor público, que recebe os eventos.',
  'The event types to send. `refund.*` selects a group, and `*` selects all types. Absent means all types.':
    'Os tipos de eventos a enviar. `refund.*` escolhe um grupo, e `*` escolhe todos os tipos. Ausente significa todos.',
  'A text for people.': 'Um texto para pessoas.',
  'A fact that the managing platform reported after it happened. The service records it even where a rule forbids it, and adds a discrepancy.':
    'Um facto que a plataforma responsável comunicou depois de acontecer. O serviço regista-o mesmo onde uma regra o proíbe, e acrescenta uma discrepância.',
  'The platform that reported the fact.': 'A plataforma que comunicou o facto.',
  'The id of the fact at the platform.': 'O id do facto na plataforma.',
  'When it happened at the platform.': 'Quando aconteceu na plataforma.',
  'The SKU of the new item.': 'O SKU do artigo novo.',
  'The title of the new item.': 'O título do artigo novo.',
  'Units of the new item.': 'Unidades do artigo novo.',
  'The price of one unit of the new item. Absent if it is unknown.':
    'O preço de uma unidade do artigo novo. Ausente se for desconhecido.',
  'An amount of money, zero or more.': 'Um valor em dinheiro, zero ou mais.',
  'The amount in minor units of the currency. 12.34 EUR is 1234.':
    'O valor na unidade menor da moeda. 12,34 EUR são 1234.',
  'The currency of the amount (ISO 4217).': 'A moeda do valor (ISO 4217).',
  'Units of a line of the return.': 'Unidades de uma linha da devolução.',
  'Units of the line.': 'Unidades da linha.',
  'An amount of money above zero.': 'Um valor em dinheiro acima de zero.',
  'The result of a payment that you made before you booked the refund.':
    'O resultado de um pagamento feito antes de lançar o reembolso.',
  '`succeeded`: you have paid. `failed`: the payment failed.': '`succeeded`: já pagou. `failed`: o pagamento falhou.',
  "The payment provider's reference for the payment. Required with `succeeded`.":
    'A referência do pagamento no prestador de pagamentos. Obrigatória com `succeeded`.',
  'When the payment reached the status. The default is now.':
    'Quando o pagamento chegou a este estado. Por omissão, agora.',
};

/** The words that differ in Brazil, in the forms that the hints have. */
const inBrazil: readonly (readonly [RegExp, string])[] = [
  [/\bdo pedido\b/g, 'da solicitação'],
  [/\bA encomenda\b/g, 'O pedido'],
  [/\btoda a encomenda\b/g, 'todo o pedido'],
  [/\bpelos portes\b/g, 'pelo frete'],
  [/\bartigos\b/g, 'itens'],
  [/\bArtigos\b/g, 'Itens'],
  [/\bartigo\b/g, 'item'],
  [/\bvolume(s?)\b/g, 'pacote$1'],
  [/\bficheiro\b/g, 'arquivo'],
  [/\bprova(s?)\b/g, 'evidência$1'],
  [/\bfacto\b/g, 'fato'],
  [/\bequipa\b/g, 'equipe'],
  [/\bregista/g, 'registra'],
  [/\bregisto\b/g, 'registro'],
  [/\brecetor\b/g, 'receptor'],
  [/\baceites\b/g, 'aceitas'],
  [/\bseguimento\b/g, 'rastreamento'],
  [/\b([Pp])or omissão\b/g, '$1or padrão'],
  [/\bpor palavras\b/g, 'em palavras'],
  [/\b[Tt](?:al|ais) como\b/g, 'como'],
];

const brazilian = (text: string): string => inBrazil.reduce((so, [word, other]) => so.replaceAll(word, other), text);

/** Returns the hints of forms in a variant of Portuguese. */
export const portugueseHints = (variant: Exclude<Language, 'en'>): Readonly<Record<string, string>> => {
  if (variant === 'pt-PT') return portugal;
  return Object.fromEntries(Object.entries(portugal).map(([english, text]) => [english, brazilian(text)]));
};
