/**
 * The hints of forms in Portuguese, by the text of the contract. A test finds a hint without a translation. The build
 * writes them in the order of the forms, because the English texts are in these already.
 */
export const portugueseHints: Readonly<Record<string, string>> = {
  'The new tags. They replace all tags. `null` removes all tags.': 'As novas etiquetas. Substituem todas as etiquetas.',
  'Entries to set. An entry with the value `null` is removed. `null` in place of the object removes all entries.':
    'Os valores a guardar.',
  'The new ids of the return at platforms. They replace all references. `null` removes all references.':
    'Os novos ids da devolução nas plataformas. Substituem todas as referências.',
  'What the shop gives in exchange by itself. While there is anything, no money is due. `null` removes all of it.':
    'O que a loja dá em troca por si. Enquanto houver algo, não há dinheiro a pagar.',
  'The units to approve of each line. The list needs every line once. Without it, all units are approved.':
    'As unidades a aprovar de cada linha. A lista precisa de cada linha uma vez. Sem ela, todas são aprovadas.',
  'The id of the line of the return.': 'O id da linha da devolução.',
  'The reason in words, for staff.': 'O motivo por palavras, para a equipa.',
  'Allows less than the law gives the customer. It needs returns:admin, and is recorded as a discrepancy.':
    'Permite menos do que a lei dá ao cliente. Exige returns:admin, e fica registado como discrepância.',
  'Why the law is overridden, as a code.': 'Porque não se aplica a lei, como código.',
  'Why the units are cancelled, as a code.': 'Porque se cancelam as unidades, como código.',
  'Why the units are cancelled, in words.': 'Porque se cancelam as unidades, por palavras.',
  'The units to cancel. When absent, all units that have not come back.':
    'As unidades a cancelar. Se faltar, todas as unidades que não voltaram.',
  'Waives money that the customer is still owed. The reason says why.':
    'Dispensa o dinheiro que ainda se deve ao cliente. O motivo diz porquê.',
  'Why the record is wrong, in words.': 'Porque o registo está errado, por palavras.',
  'The differences, each line once.': 'As diferenças, cada linha uma vez.',
  'Units of the line to exchange.': 'Unidades da linha a trocar.',
  'The item that the customer gets in exchange.': 'O artigo que o cliente recebe em troca.',
  'The amount that counts towards the new item. The default is the full worth of the units.':
    'O valor que conta para o artigo novo. Por omissão, o valor total das unidades.',
  'The new status of the exchange.': 'O novo estado da troca.',
  "The order of the new item, by the shop's own reference.":
    'A encomenda do artigo novo, pela referência da própria loja.',
  'Why the shop waives the fee.': 'Porque a loja dispensa a taxa.',
  'The units to grant, each pair of `lineId` and `of` once.':
    'As unidades a conceder, cada par de `lineId` e `of` uma vez.',
  'Why the units are granted, as a code.': 'Porque se concedem as unidades, como código.',
  'The inspected units. A line can occur in several entries, for example with different grades.':
    'As unidades inspecionadas. Uma linha pode aparecer várias vezes, por exemplo com classes diferentes.',
  'Unexpected items without a disposition, each once.': 'Artigos inesperados sem destino, cada um uma vez.',
  'The text of the note.': 'O texto da nota.',
  'Who can read the note. `internal`, the default, is staff only.':
    'Quem pode ler a nota. Por omissão é `internal`, só para a equipa.',
  'To the shop (`inbound`) or to the customer (`outbound`). The status of the return sets it: another value is rejected.':
    'Para a loja (`inbound`) ou para o cliente (`outbound`). O estado da devolução decide-o: outro valor é recusado.',
  'The carrier, such as dhl.': 'A transportadora, tal como dhl.',
  'The tracking number of the carrier.': 'O número de seguimento da transportadora.',
  'The tracking page of the carrier.': 'A página de seguimento da transportadora.',
  'The URL of the shipping label.': 'O URL da etiqueta de envio.',
  'The status of the parcel. The default is `label_created`.': 'O estado do volume. Por omissão, `label_created`.',
  'The units in the parcel. When absent: inbound all outstanding units, outbound all refused units, without those in other parcels.':
    'As unidades no volume. Se faltar: para a loja todas as unidades pendentes, para o cliente todas as recusadas, sem as de outros volumes.',
  'The carrier. `null` removes it.': 'A transportadora.',
  'The tracking number of the carrier. `null` removes it.': 'O número de seguimento da transportadora.',
  'The tracking page of the carrier. `null` removes it.': 'A página de seguimento da transportadora.',
  'The URL of the shipping label. `null` removes it.': 'O URL da etiqueta de envio.',
  'The new status of the parcel.': 'O novo estado do volume.',
  'The units in the parcel. They replace the contents as a whole.':
    'As unidades no volume. Substituem todo o conteúdo.',
  'The answer of the customer in words.': 'A resposta do cliente por palavras.',
  'The ids of attachments of the return that belong to the answer.':
    'Os ids dos anexos da devolução que pertencem à resposta.',
  'The inbound parcel that arrived. The service marks it as delivered.':
    'O volume que chegou à loja. O serviço marca-o como entregue.',
  'The units that arrived. Without this list and unexpected items, the contents of the parcel count as received.':
    'As unidades que chegaram. Sem esta lista e sem artigos inesperados, o conteúdo do volume conta como recebido.',
  'Items that arrived and belong to no line of the return.':
    'Artigos que chegaram e não pertencem a nenhuma linha da devolução.',
  'Why the units are missing. The default: `not_in_parcel` if anything arrived, `lost_in_transit` if only a parcel was sent, otherwise `never_sent`.':
    'Porque faltam as unidades. Por omissão: `not_in_parcel` se algo chegou, `lost_in_transit` se só foi enviado um volume, senão `never_sent`.',
  'The units that are missing. When absent, all outstanding units.':
    'As unidades em falta. Se ausente, todas as unidades pendentes.',
  'The amount that the customer gave back.': 'O valor que o cliente devolveu.',
  "The payment, by the shop's or the provider's reference.": 'O pagamento, pela referência da loja ou do prestador.',
  'Why the shop no longer asks for the money.': 'Porque a loja já não pede o dinheiro.',
  'The units to refund. The default is all units that a refund may pay for now.':
    'As unidades a reembolsar. Por omissão, todas as que um reembolso pode pagar agora.',
  'The amount to refund for shipping. By default the terms of the return decide.':
    'O valor a reembolsar pelos portes. Por omissão decidem os termos da devolução.',
  'The amount to refund for other charges, such as duty. By default, charges go back only with the last units of the whole order, where a law protects it.':
    'O valor a reembolsar por outros encargos, tais como direitos aduaneiros. Por omissão, os encargos só voltam com as últimas unidades de toda a encomenda, onde uma lei o protege.',
  'How the customer gets the money. The default is `original_payment`. A gift allows only `store_credit`, its default, and `gift_card`.':
    'Como o cliente recebe o dinheiro. Por omissão, `original_payment`. Um presente só permite `store_credit`, o seu valor por omissão, e `gift_card`.',
  'The result of the payment, if you have paid already. Without it the refund is `pending`, and you report the result later.':
    'O resultado do pagamento, se já pagou. Sem ele o reembolso fica `pending`, e o resultado é comunicado mais tarde.',
  'The new status of the refund.': 'O novo estado do reembolso.',
  "The payment provider's reference for the payment.": 'A referência do pagamento no prestador de pagamentos.',
  "The payment provider's code for a failure.": 'O código de falha do prestador de pagamentos.',
  'When the payment reached the status. The default is the time of the observation, else now.':
    'Quando o pagamento chegou a este estado. Por omissão, a hora da observação, ou agora.',
  'Why the return is rejected, as a code.': 'Porque se rejeita a devolução, como código.',
  'Why the return is rejected, in words for the customer.':
    'Porque se rejeita a devolução, por palavras para o cliente.',
  'Why the return is reopened, in words.': 'Porque se reabre a devolução, por palavras.',
  'The question to the customer.': 'A pergunta ao cliente.',
  'The SKU of the new item.': 'O SKU do artigo novo.',
  'The title of the new item.': 'O título do artigo novo.',
  'Units of the new item.': 'Unidades do artigo novo.',
  'The price of one unit of the new item. Absent if it is unknown.':
    'O preço de uma unidade do artigo novo. Ausente se for desconhecido.',
  'The amount in minor units of the currency. 12.34 EUR is 1234.':
    'O valor na unidade menor da moeda. 12,34 EUR são 1234.',
  'The currency of the amount (ISO 4217).': 'A moeda do valor (ISO 4217).',
  '`succeeded`: you have paid. `failed`: the payment failed.': '`succeeded`: já pagou. `failed`: o pagamento falhou.',
  "The payment provider's reference for the payment. Required with `succeeded`.":
    'A referência do pagamento no prestador de pagamentos. Obrigatória com `succeeded`.',
  'When the payment reached the status. The default is now.':
    'Quando o pagamento chegou a este estado. Por omissão, agora.',
};
