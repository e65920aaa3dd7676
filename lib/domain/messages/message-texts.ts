import type { Language } from '../returns/input-checks.ts';
import type { Refund } from '../returns/model/refund.ts';

/** A text with the number of the return. It has nothing that a person typed, so it may be the subject of a mail. */
type OfReturn = (rma: string) => string;

/** The first sentence of a message: the return, and the number of its order. */
type Opening = (rma: string, order: string) => string;

/** The texts of messages about returns in one language. A language without one of them does not compile. */
export type MessageTexts = {
  readonly approved: {
    readonly subject: OfReturn;
    readonly opening: Opening;
    readonly send: string;
    readonly pack: OfReturn;
    readonly address: (address: string) => string;
    readonly sendBy: (date: string) => string;
    readonly keep: string;
    readonly declined: string;
  };
  readonly rejected: {
    readonly subject: OfReturn;
    readonly opening: Opening;
    /** Before the words of the shop. */
    readonly reason: string;
    readonly contact: string;
  };
  readonly refund: {
    readonly subject: OfReturn;
    readonly opening: Opening;
    readonly amount: (amount: string) => string;
    readonly method: Readonly<Record<Exclude<Refund['method'], 'manual'>, string>>;
    readonly reference: (reference: string) => string;
    readonly delay: string;
  };
};

/**
 * The texts of messages about returns, by language. A receipt of a withdrawal has texts of its own, which are signed
 * (lib/domain/withdrawals/receipt/receipt-texts.ts).
 */
export const messageTexts: Readonly<Record<Language, MessageTexts>> = {
  en: {
    approved: {
      subject: (rma) => `Your return ${rma} is approved`,
      opening: (rma, order) => `Your return ${rma} for the order ${order} is approved.`,
      send: 'Please send back:',
      pack: (rma) => `Write the number ${rma} on the parcel, or put it into the parcel.`,
      address: (address) => `Send the parcel to: ${address}`,
      sendBy: (date) => `Send the parcel by ${date}.`,
      keep: 'You can keep:',
      declined: 'We cannot take back:',
    },
    rejected: {
      subject: (rma) => `Your return ${rma} is declined`,
      opening: (rma, order) => `Your return ${rma} for the order ${order} is declined.`,
      reason: 'The reason:',
      contact: 'If you do not agree, please write to us.',
    },
    refund: {
      subject: (rma) => `The refund for your return ${rma} is paid`,
      opening: (rma, order) => `We have paid a refund for your return ${rma} of the order ${order}.`,
      amount: (amount) => `Amount: ${amount}`,
      method: {
        original_payment: 'It goes back to the means of payment of your order.',
        store_credit: 'You get it as store credit.',
        gift_card: 'You get it as a gift card.',
        bank_transfer: 'You get it by bank transfer.',
      },
      reference: (reference) => `Reference of the payment: ${reference}`,
      delay: 'A bank or a card company can need some days until it shows the amount.',
    },
  },
  pt: {
    approved: {
      subject: (rma) => `A sua devolução ${rma} está aprovada`,
      opening: (rma, order) => `A sua devolução ${rma} da encomenda ${order} está aprovada.`,
      send: 'Envie-nos:',
      pack: (rma) => `Escreva o número ${rma} no pacote ou coloque-o dentro do pacote.`,
      address: (address) => `Envie o pacote para: ${address}`,
      sendBy: (date) => `Envie o pacote até ${date}.`,
      keep: 'Pode ficar com:',
      declined: 'Não podemos aceitar:',
    },
    rejected: {
      subject: (rma) => `A sua devolução ${rma} foi recusada`,
      opening: (rma, order) => `A sua devolução ${rma} da encomenda ${order} foi recusada.`,
      reason: 'O motivo:',
      contact: 'Se não concordar, escreva-nos.',
    },
    refund: {
      subject: (rma) => `O reembolso da sua devolução ${rma} está pago`,
      opening: (rma, order) => `Pagámos um reembolso pela sua devolução ${rma} da encomenda ${order}.`,
      amount: (amount) => `Valor: ${amount}`,
      method: {
        original_payment: 'O valor volta ao meio de pagamento da encomenda.',
        store_credit: 'Recebe o valor como crédito na loja.',
        gift_card: 'Recebe o valor como cartão-presente.',
        bank_transfer: 'Recebe o valor por transferência bancária.',
      },
      reference: (reference) => `Referência do pagamento: ${reference}`,
      delay: 'O banco ou a empresa do cartão pode precisar de alguns dias até mostrar o valor.',
    },
  },
  es: {
    approved: {
      subject: (rma) => `Su devolución ${rma} está aprobada`,
      opening: (rma, order) => `Su devolución ${rma} del pedido ${order} está aprobada.`,
      send: 'Envíenos:',
      pack: (rma) => `Escriba el número ${rma} en el paquete o póngalo dentro del paquete.`,
      address: (address) => `Envíe el paquete a: ${address}`,
      sendBy: (date) => `Envíe el paquete hasta el ${date}.`,
      keep: 'Puede quedarse con:',
      declined: 'No podemos aceptar:',
    },
    rejected: {
      subject: (rma) => `Su devolución ${rma} no se ha aceptado`,
      opening: (rma, order) => `Su devolución ${rma} del pedido ${order} no se ha aceptado.`,
      reason: 'El motivo:',
      contact: 'Si no está de acuerdo, escríbanos.',
    },
    refund: {
      subject: (rma) => `El reembolso de su devolución ${rma} está pagado`,
      opening: (rma, order) => `Hemos pagado un reembolso por su devolución ${rma} del pedido ${order}.`,
      amount: (amount) => `Importe: ${amount}`,
      method: {
        original_payment: 'El importe vuelve al medio de pago del pedido.',
        store_credit: 'Recibe el importe como saldo en la tienda.',
        gift_card: 'Recibe el importe como tarjeta regalo.',
        bank_transfer: 'Recibe el importe por transferencia bancaria.',
      },
      reference: (reference) => `Referencia del pago: ${reference}`,
      delay: 'El banco o la empresa de la tarjeta puede tardar unos días en mostrar el importe.',
    },
  },
  de: {
    approved: {
      subject: (rma) => `Ihre Rücksendung ${rma} ist genehmigt`,
      opening: (rma, order) => `Ihre Rücksendung ${rma} zur Bestellung ${order} ist genehmigt.`,
      send: 'Bitte senden Sie zurück:',
      pack: (rma) => `Schreiben Sie die Nummer ${rma} auf das Paket, oder legen Sie sie hinein.`,
      address: (address) => `Senden Sie das Paket an: ${address}`,
      sendBy: (date) => `Senden Sie das Paket bis zum ${date} ab.`,
      keep: 'Sie können behalten:',
      declined: 'Wir können nicht zurücknehmen:',
    },
    rejected: {
      subject: (rma) => `Ihre Rücksendung ${rma} ist abgelehnt`,
      opening: (rma, order) => `Ihre Rücksendung ${rma} zur Bestellung ${order} ist abgelehnt.`,
      reason: 'Der Grund:',
      contact: 'Wenn Sie nicht einverstanden sind, schreiben Sie uns bitte.',
    },
    refund: {
      subject: (rma) => `Die Erstattung zu Ihrer Rücksendung ${rma} ist bezahlt`,
      opening: (rma, order) => `Wir haben eine Erstattung zu Ihrer Rücksendung ${rma} der Bestellung ${order} bezahlt.`,
      amount: (amount) => `Betrag: ${amount}`,
      method: {
        original_payment: 'Der Betrag geht an das Zahlungsmittel Ihrer Bestellung zurück.',
        store_credit: 'Sie erhalten den Betrag als Guthaben im Shop.',
        gift_card: 'Sie erhalten den Betrag als Geschenkkarte.',
        bank_transfer: 'Sie erhalten den Betrag per Überweisung.',
      },
      reference: (reference) => `Referenz der Zahlung: ${reference}`,
      delay: 'Bei einer Bank oder einem Kartenunternehmen kann es einige Tage dauern, bis der Betrag erscheint.',
    },
  },
  fr: {
    approved: {
      subject: (rma) => `Votre retour ${rma} est accepté`,
      opening: (rma, order) => `Votre retour ${rma} de la commande ${order} est accepté.`,
      send: 'Merci de nous renvoyer :',
      pack: (rma) => `Écrivez le numéro ${rma} sur le colis, ou placez-le dans le colis.`,
      address: (address) => `Envoyez le colis à : ${address}`,
      sendBy: (date) => `Envoyez le colis au plus tard le ${date}.`,
      keep: 'Vous pouvez garder :',
      declined: 'Nous ne pouvons pas reprendre :',
    },
    rejected: {
      subject: (rma) => `Votre retour ${rma} est refusé`,
      opening: (rma, order) => `Votre retour ${rma} de la commande ${order} est refusé.`,
      reason: 'Le motif :',
      contact: 'Si vous n’êtes pas d’accord, écrivez-nous.',
    },
    refund: {
      subject: (rma) => `Le remboursement de votre retour ${rma} est payé`,
      opening: (rma, order) => `Nous avons payé un remboursement pour votre retour ${rma} de la commande ${order}.`,
      amount: (amount) => `Montant : ${amount}`,
      method: {
        original_payment: 'Le montant revient sur le moyen de paiement de votre commande.',
        store_credit: 'Vous recevez le montant en avoir de la boutique.',
        gift_card: 'Vous recevez le montant en carte cadeau.',
        bank_transfer: 'Vous recevez le montant par virement.',
      },
      reference: (reference) => `Référence du paiement : ${reference}`,
      delay: 'La banque ou la société de la carte peut mettre quelques jours à afficher le montant.',
    },
  },
};
