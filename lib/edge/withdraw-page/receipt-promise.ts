import type { Language } from '../../domain/returns/input-checks.ts';
import type { PageContext } from './layout.ts';

/** What the page says about how the consumer gets the receipt. */
type ReceiptPromise = {
  /** Below the field of the e-mail address. */
  readonly hint: string;
  /** With the receipt. */
  readonly receipt: string;
  /** The receipt of a stored declaration cannot be read now. */
  readonly stored: string;
  /** The receipt of a stored declaration is no longer shown. */
  readonly expired: string;
  /** The address leads to no receipt. */
  readonly unknown: string;
};

/** The promises by language: of a deployment whose receipts are mailed, and of one whose consumers keep the file. */
const promises: Readonly<Record<Language, Readonly<Record<'mailed' | 'kept', ReceiptPromise>>>> = {
  en: {
    mailed: {
      hint: 'The receipt is sent to this address.',
      receipt: 'The receipt is also sent to your e-mail address.',
      stored: 'The receipt cannot be shown now. It is sent to your e-mail address. You need not declare again.',
      expired: 'Your withdrawal is stored. The receipt is sent to your e-mail address. You need not declare again.',
      unknown:
        'The address is incomplete, changed or too old. If you confirmed a withdrawal, its receipt is sent to your e-mail address. If none arrives within a day, declare again: the same declaration counts once.',
    },
    kept: {
      hint: 'The shop answers to this address.',
      receipt: 'Please download the receipt and keep it.',
      stored: 'The receipt cannot be shown now. Please try again in a few minutes. You need not declare again.',
      expired: 'Your withdrawal is stored. If you have no receipt, ask the shop for it. You need not declare again.',
      unknown:
        'The address is incomplete, changed or too old. If you confirmed a withdrawal and have no receipt, declare again: the same declaration counts once.',
    },
  },
  pt: {
    mailed: {
      hint: 'O comprovativo é enviado para este endereço.',
      receipt: 'O comprovativo é também enviado para o seu e-mail.',
      stored:
        'O comprovativo não pode ser mostrado agora. É enviado para o seu e-mail. Não precisa de declarar de novo.',
      expired:
        'A sua retratação está registada. O comprovativo é enviado para o seu e-mail. Não precisa de declarar de novo.',
      unknown:
        'O endereço está incompleto, alterado ou é demasiado antigo. Se confirmou uma retratação, o comprovativo é enviado para o seu e-mail. Se não chegar no prazo de um dia, declare de novo: a mesma declaração conta uma vez.',
    },
    kept: {
      hint: 'A loja responde para este endereço.',
      receipt: 'Descarregue o comprovativo e guarde-o.',
      stored:
        'O comprovativo não pode ser mostrado agora. Tente de novo dentro de alguns minutos. Não precisa de declarar de novo.',
      expired:
        'A sua retratação está registada. Se não tiver o comprovativo, peça-o à loja. Não precisa de declarar de novo.',
      unknown:
        'O endereço está incompleto, alterado ou é demasiado antigo. Se confirmou uma retratação e não tem o comprovativo, declare de novo: a mesma declaração conta uma vez.',
    },
  },
  es: {
    mailed: {
      hint: 'El acuse de recibo se envía a esta dirección.',
      receipt: 'El acuse de recibo se envía también a su correo electrónico.',
      stored:
        'El acuse de recibo no se puede mostrar ahora. Se envía a su correo electrónico. No necesita declarar otra vez.',
      expired:
        'Su desistimiento está registrado. El acuse de recibo se envía a su correo electrónico. No necesita declarar otra vez.',
      unknown:
        'La dirección está incompleta, modificada o es demasiado antigua. Si confirmó un desistimiento, el acuse de recibo se envía a su correo electrónico. Si no llega en un día, declare otra vez: la misma declaración cuenta una vez.',
    },
    kept: {
      hint: 'La tienda responde a esta dirección.',
      receipt: 'Descargue el acuse de recibo y guárdelo.',
      stored:
        'El acuse de recibo no se puede mostrar ahora. Inténtelo de nuevo en unos minutos. No necesita declarar otra vez.',
      expired:
        'Su desistimiento está registrado. Si no tiene el acuse de recibo, pídalo a la tienda. No necesita declarar otra vez.',
      unknown:
        'La dirección está incompleta, modificada o es demasiado antigua. Si confirmó un desistimiento y no tiene el acuse de recibo, declare otra vez: la misma declaración cuenta una vez.',
    },
  },
  de: {
    mailed: {
      hint: 'An diese Adresse wird die Eingangsbestätigung gesendet.',
      receipt: 'Die Eingangsbestätigung wird auch an Ihre E-Mail-Adresse gesendet.',
      stored:
        'Die Eingangsbestätigung kann jetzt nicht angezeigt werden. Sie wird an Ihre E-Mail-Adresse gesendet. Sie müssen nicht noch einmal widerrufen.',
      expired:
        'Ihr Widerruf ist gespeichert. Die Eingangsbestätigung wird an Ihre E-Mail-Adresse gesendet. Sie müssen nicht noch einmal widerrufen.',
      unknown:
        'Die Adresse ist unvollständig, verändert oder zu alt. Wenn Sie einen Widerruf bestätigt haben, wird die Eingangsbestätigung an Ihre E-Mail-Adresse gesendet. Kommt innerhalb eines Tages keine an, widerrufen Sie noch einmal: Dieselbe Erklärung zählt einmal.',
    },
    kept: {
      hint: 'An diese Adresse antwortet der Shop.',
      receipt: 'Bitte laden Sie die Eingangsbestätigung herunter, und bewahren Sie sie auf.',
      stored:
        'Die Eingangsbestätigung kann jetzt nicht angezeigt werden. Versuchen Sie es in einigen Minuten noch einmal. Sie müssen nicht noch einmal widerrufen.',
      expired:
        'Ihr Widerruf ist gespeichert. Wenn Sie keine Eingangsbestätigung haben, fragen Sie den Shop danach. Sie müssen nicht noch einmal widerrufen.',
      unknown:
        'Die Adresse ist unvollständig, verändert oder zu alt. Wenn Sie einen Widerruf bestätigt und keine Eingangsbestätigung haben, widerrufen Sie noch einmal: Dieselbe Erklärung zählt einmal.',
    },
  },
  fr: {
    mailed: {
      hint: 'L’accusé de réception est envoyé à cette adresse.',
      receipt: 'L’accusé de réception est aussi envoyé à votre adresse e-mail.',
      stored:
        'L’accusé de réception ne peut pas être affiché maintenant. Il est envoyé à votre adresse e-mail. Il n’est pas nécessaire de déclarer à nouveau.',
      expired:
        'Votre rétractation est enregistrée. L’accusé de réception est envoyé à votre adresse e-mail. Il n’est pas nécessaire de déclarer à nouveau.',
      unknown:
        'L’adresse est incomplète, modifiée ou trop ancienne. Si vous avez confirmé une rétractation, l’accusé de réception est envoyé à votre adresse e-mail. S’il n’arrive pas en un jour, déclarez à nouveau : la même déclaration compte une fois.',
    },
    kept: {
      hint: 'La boutique répond à cette adresse.',
      receipt: 'Téléchargez l’accusé de réception et conservez-le.',
      stored:
        'L’accusé de réception ne peut pas être affiché maintenant. Réessayez dans quelques minutes. Il n’est pas nécessaire de déclarer à nouveau.',
      expired:
        'Votre rétractation est enregistrée. Si vous n’avez pas l’accusé de réception, demandez-le à la boutique. Il n’est pas nécessaire de déclarer à nouveau.',
      unknown:
        'L’adresse est incomplète, modifiée ou trop ancienne. Si vous avez confirmé une rétractation et n’avez pas l’accusé de réception, déclarez à nouveau : la même déclaration compte une fois.',
    },
  },
};

/** Returns what the page may promise: an e-mail only where one is sent. */
export const receiptPromise = ({ language, mailsReceipts }: Pick<PageContext, 'language' | 'mailsReceipts'>) =>
  promises[language][mailsReceipts ? 'mailed' : 'kept'];
