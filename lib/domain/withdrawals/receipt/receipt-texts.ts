import type { Language } from '../../returns/input-checks.ts';

/** The texts of a receipt in one language. A language without one of them does not compile. */
export type ReceiptTexts = {
  /** The locale of Intl for dates. */
  readonly locale: string;
  readonly title: string;
  /** Between a label and its value. */
  readonly colon: string;
  /** The statement of the consumer. It is a part of what is signed. */
  readonly statement: string;
  readonly intro: string;
  readonly labels: Readonly<Record<'number' | 'declaredAt' | 'name' | 'email' | 'contract' | 'lines' | 'text', string>>;
  readonly wholeContract: string;
  readonly next: readonly string[];
  readonly verify: {
    readonly intro: string;
    /** An issuer that publishes its keys. */
    readonly published: (address: string) => string;
    /** An issuer without a public address. */
    readonly onRequest: string;
    readonly hash: (sha256: string) => string;
  };
};

/**
 * The texts of receipts, by language. They are apart from the catalogues of returns, so that a function carries only
 * the texts that it writes.
 *
 * The statements follow the model form in Annex I(B) of Directive 2011/83/EU in the singular, without the goods
 * (https://data.europa.eu/eli/dir/2011/83/oj). They were compared with published copies, not with the Official Journal:
 * - en: Annex I(B). The UK form says "cancel" (Consumer Contracts Regulations 2013, Schedule 3, Part B).
 * - de: Anlage 2 zu Artikel 246a § 1 EGBGB, "Hiermit widerrufe(n) ich/wir den von mir/uns abgeschlossenen Vertrag".
 * - es: Anexo B del Real Decreto Legislativo 1/2007, "Por la presente le comunico que desisto de mi contrato".
 * - fr: annexe du code de la consommation, "Je vous notifie par la présente ma rétractation du contrat".
 * - pt: the directive has "me retrato do meu contrato". The Portuguese law has "livre resolução" (Decreto-Lei 24/2014),
 *   the Brazilian law "arrependimento" (Lei 8.078/1990, artigo 49). The statement names them, to be clear in both.
 */
export const receiptTexts: Readonly<Record<Language, ReceiptTexts>> = {
  en: {
    locale: 'en-GB',
    title: 'Receipt of your withdrawal',
    colon: ':',
    statement: 'I hereby give notice that I withdraw from my contract.',
    intro: 'We have received your declaration of withdrawal. Please keep this receipt.',
    labels: {
      number: 'Number of the declaration',
      declaredAt: 'Date and time',
      name: 'Name',
      email: 'E-mail address',
      contract: 'Contract',
      lines: 'Goods or services',
      text: 'Declaration',
    },
    wholeContract: 'the whole contract',
    next: [
      'We now assign your declaration to your order and then answer you.',
      'The date and time above count for your withdrawal, even if the answer takes longer.',
    ],
    verify: {
      intro: 'The following signed receipt proves the content, the date and the time of your declaration.',
      published: (address) => `The public keys to verify it are at ${address}.`,
      onRequest: 'You get the public keys to verify it from us on request.',
      hash: (sha256) => `SHA-256 of the signed receipt: ${sha256}`,
    },
  },
  pt: {
    locale: 'pt-PT',
    title: 'Comprovativo da sua declaração de retratação',
    colon: ':',
    statement: 'Pela presente comunico que me retrato do meu contrato (livre resolução ou arrependimento).',
    intro: 'Recebemos a sua declaração de retratação. Guarde este comprovativo.',
    labels: {
      number: 'Número da declaração',
      declaredAt: 'Data e hora',
      name: 'Nome',
      email: 'E-mail',
      contract: 'Contrato',
      lines: 'Bens ou serviços',
      text: 'Declaração',
    },
    wholeContract: 'todo o contrato',
    next: [
      'Vamos associar a declaração à sua encomenda e depois enviar uma resposta.',
      'A data e a hora acima contam para a retratação, mesmo que a resposta demore.',
    ],
    verify: {
      intro: 'O seguinte comprovativo assinado prova o conteúdo, a data e a hora da declaração.',
      published: (address) => `As chaves públicas para o verificar estão em ${address}.`,
      onRequest: 'Enviamos a pedido as chaves públicas para o verificar.',
      hash: (sha256) => `SHA-256 do comprovativo assinado: ${sha256}`,
    },
  },
  es: {
    locale: 'es-ES',
    title: 'Acuse de recibo de su desistimiento',
    colon: ':',
    statement: 'Por la presente le comunico que desisto de mi contrato.',
    intro: 'Hemos recibido su declaración de desistimiento. Conserve este acuse de recibo.',
    labels: {
      number: 'Número de la declaración',
      declaredAt: 'Fecha y hora',
      name: 'Nombre',
      email: 'Correo electrónico',
      contract: 'Contrato',
      lines: 'Bienes o servicios',
      text: 'Declaración',
    },
    wholeContract: 'todo el contrato',
    next: [
      'Ahora asignaremos la declaración a su pedido y después le responderemos.',
      'La fecha y la hora indicadas cuentan para el desistimiento, aunque la respuesta tarde.',
    ],
    verify: {
      intro: 'El siguiente acuse firmado prueba el contenido, la fecha y la hora de la declaración.',
      published: (address) => `Las claves públicas para verificarlo están en ${address}.`,
      onRequest: 'Le enviamos las claves públicas para verificarlo si las solicita.',
      hash: (sha256) => `SHA-256 del acuse firmado: ${sha256}`,
    },
  },
  de: {
    locale: 'de-DE',
    title: 'Eingangsbestätigung Ihres Widerrufs',
    colon: ':',
    statement: 'Hiermit widerrufe ich den von mir abgeschlossenen Vertrag.',
    intro: 'Wir haben Ihre Widerrufserklärung erhalten. Bitte bewahren Sie diese Bestätigung auf.',
    labels: {
      number: 'Nummer der Erklärung',
      declaredAt: 'Datum und Uhrzeit',
      name: 'Name',
      email: 'E-Mail-Adresse',
      contract: 'Vertrag',
      lines: 'Waren oder Dienstleistungen',
      text: 'Erklärung',
    },
    wholeContract: 'der gesamte Vertrag',
    next: [
      'Wir ordnen Ihre Erklärung nun Ihrer Bestellung zu und antworten Ihnen danach.',
      'Für Ihren Widerruf zählen Datum und Uhrzeit oben, auch wenn die Antwort länger dauert.',
    ],
    verify: {
      intro: 'Die folgende signierte Bestätigung beweist Inhalt, Datum und Uhrzeit Ihrer Erklärung.',
      published: (address) => `Die öffentlichen Schlüssel für die Prüfung stehen unter ${address}.`,
      onRequest: 'Die öffentlichen Schlüssel für die Prüfung erhalten Sie von uns auf Anfrage.',
      hash: (sha256) => `SHA-256 der signierten Bestätigung: ${sha256}`,
    },
  },
  fr: {
    locale: 'fr-FR',
    title: 'Accusé de réception de votre rétractation',
    colon: '\u00A0:',
    statement: 'Je vous notifie par la présente ma rétractation du contrat.',
    intro: 'Nous avons reçu votre déclaration de rétractation. Conservez cet accusé de réception.',
    labels: {
      number: 'Numéro de la déclaration',
      declaredAt: 'Date et heure',
      name: 'Nom',
      email: 'Adresse e-mail',
      contract: 'Contrat',
      lines: 'Biens ou services',
      text: 'Déclaration',
    },
    wholeContract: 'le contrat entier',
    next: [
      'Nous associons maintenant la déclaration à votre commande, puis nous vous répondons.',
      'La date et l’heure ci-dessus comptent pour la rétractation, même si la réponse tarde.',
    ],
    verify: {
      intro: 'L’accusé signé suivant prouve le contenu, la date et l’heure de votre déclaration.',
      published: (address) => `Les clés publiques pour le vérifier se trouvent à l’adresse ${address}.`,
      onRequest: 'Nous vous envoyons sur demande les clés publiques pour le vérifier.',
      hash: (sha256) => `SHA-256 de l’accusé signé : ${sha256}`,
    },
  },
};
