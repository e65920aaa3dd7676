import type { Language } from '../../domain/returns/input-checks.ts';
import type { EntryError, FieldName, FormFailure, ReceiptFormat } from './form.ts';

/** The texts of the page in one language, beyond those of receipts. A language without one of them does not compile. */
export type PageTexts = {
  /** The language in its own words, and the label of the list of languages. */
  readonly own: string;
  readonly languages: string;
  /** The words of Article 11a(1) and (3). */
  readonly withdraw: string;
  readonly confirm: string;
  /** @param shop undefined when the deployment has no ShopName */
  readonly intro: (shop: string | undefined) => string;
  readonly step: (number: 1 | 2) => string;
  readonly optional: string;
  readonly hints: Readonly<Record<'contract' | 'lines', string>>;
  readonly next: string;
  readonly check: string;
  readonly change: string;
  /** Shown when the check has to be repeated: the texts differ from the checked ones, or the check is a day old. */
  readonly checkAgain: string;
  readonly error: string;
  readonly errors: string;
  readonly missing: Readonly<Record<Exclude<FieldName, 'lines'>, string>>;
  readonly entryErrors: Readonly<Record<Exclude<EntryError, 'missing'>, (maximum: string) => string>>;
  /** Shown with the receipt of an equal declaration that was made before. */
  readonly known: string;
  readonly downloads: Readonly<Record<ReceiptFormat, string>>;
  readonly stored: { readonly title: string; readonly retry: string };
  readonly unavailable: {
    readonly title: string;
    readonly retryText: string;
    readonly writeText: (shop: string | undefined) => string;
    readonly retry: string;
    /** For a page without texts of the consumer. */
    readonly later: string;
  };
  readonly unreadable: { readonly title: string; readonly back: string } & Readonly<Record<FormFailure, string>>;
  readonly expired: { readonly title: string };
  readonly unknownReceipt: { readonly title: string };
};

/**
 * The texts of the page, by language. FOR COUNSEL: a law of a member state may demand other words.
 *
 * `withdraw` and `confirm` are the words of Article 11a(1) and (3) of Directive 2011/83/EU, as inserted by Article 1 of
 * Directive (EU) 2023/2673 (OJ L, 2023/2673, 28.11.2023, https://eur-lex.europa.eu/eli/dir/2023/2673/oj). The first
 * letter is a capital here. The law lets the confirmation have these words only, so the button has no other text.
 *
 * All five were compared with a table of the 24 language versions, whose authors verify it against EUR-Lex
 * (https://cooloffapp.com/data/eu-withdrawal-button-wording.json, 2026-09-10). The other sources by language:
 * - en: law firms quote it, such as https://www.mondaq.com/uk/dodd-frank-consumer-protection-act/1799028.
 * - de: § 356a BGB has the same words. The German version has no "hier"
 *   (https://www.ihk.de/bremen-bremerhaven/branchen/handel/neuer-inhalt-6782006).
 * - fr: article D. 221-5 du code de la consommation (décret n° 2026-3 du 5 janvier 2026) has the same words
 *   (https://www.joffeassocies.com/e-commerce-nouvelle-fonctionnalite-obligatoire-de-retractation-en-ligne).
 * - es: no source was found for a Spanish law with words of its own.
 * - pt: no source was found for a Portuguese law with words of its own.
 */
export const pageTexts: Readonly<Record<Language, PageTexts>> = {
  en: {
    own: 'English',
    languages: 'Language',
    withdraw: 'Withdraw from contract here',
    confirm: 'Confirm withdrawal',
    intro: (shop) =>
      `Here you declare to ${shop ?? 'the shop'} that you withdraw from a contract. You need no account and no reason.`,
    step: (number) => `Step ${number} of 2`,
    optional: 'optional',
    hints: {
      contract:
        'The order number, as in the e-mail that confirmed your order, or something else that identifies the contract. You need not know it exactly.',
      lines: 'Leave this empty to withdraw from the whole contract.',
    },
    next: 'Continue',
    check: 'Please check your declaration. It is sent when you press the button below.',
    change: 'Change',
    checkAgain: 'Nothing has been sent yet. Please check your declaration once more, then confirm it.',
    error: 'Error',
    errors: 'Please correct these fields',
    missing: {
      name: 'Enter your name.',
      contract: 'Enter the order number, or something else that identifies the contract.',
      email: 'Enter your e-mail address.',
    },
    entryErrors: {
      too_long: (maximum) => `Enter at most ${maximum} characters.`,
      malformed: () => 'Enter an e-mail address such as name@example.com.',
      incomplete: () => 'Is this address complete? It has no ending such as “.com”. Correct it, or continue with it.',
      rejected: () => 'This text was not accepted. Please write it in another way.',
    },
    known: 'You had declared this before. This is the receipt of your first declaration.',
    downloads: { text: 'Download the receipt', jws: 'For experts: the signed receipt (JWS)' },
    stored: {
      title: 'Your withdrawal is stored',
      retry: 'Show the receipt',
    },
    unavailable: {
      title: 'The service is not available now',
      retryText:
        'Your texts are still here. Try again in a few minutes: your declaration counts once, even if it arrives twice.',
      writeText: (shop) =>
        `If you cannot wait, send the following text to ${shop ?? 'the shop'} by e-mail or letter. Such a declaration is also valid.`,
      retry: 'Try again',
      later: 'Please try again in a few minutes.',
    },
    unreadable: {
      title: 'The form cannot be read',
      back: 'Open the form',
      media_type: 'The request is not a form in UTF-8. Nothing was sent.',
      too_large: 'The form is too large. Nothing was sent. Please write less.',
      malformed: 'The form is incomplete or damaged. Nothing was sent.',
      unknown_field: 'The form has a field that this page does not know. Nothing was sent.',
      repeated_field: 'The form has a field twice. Nothing was sent.',
    },
    expired: {
      title: 'The receipt is no longer shown here',
    },
    unknownReceipt: {
      title: 'This address shows no receipt',
    },
  },
  pt: {
    own: 'Português',
    languages: 'Idioma',
    withdraw: 'Retrate-se do contrato aqui',
    confirm: 'Confirmar retratação',
    intro: (shop) =>
      `Aqui declara ${shop === undefined ? 'à loja' : `a ${shop}`} que se retrata de um contrato. Não precisa de conta nem de motivo.`,
    step: (number) => `Passo ${number} de 2`,
    optional: 'opcional',
    hints: {
      contract:
        'O número da encomenda, como no e-mail que a confirmou, ou outra indicação que identifique o contrato. Não precisa de o saber ao certo.',
      lines: 'Deixe vazio para se retratar de todo o contrato.',
    },
    next: 'Continuar',
    check: 'Verifique a sua declaração. É enviada quando carregar no botão abaixo.',
    change: 'Alterar',
    checkAgain: 'Ainda nada foi enviado. Verifique de novo a declaração e depois confirme.',
    error: 'Erro',
    errors: 'Corrija estes campos',
    missing: {
      name: 'Indique o seu nome.',
      contract: 'Indique o número da encomenda, ou outra indicação que identifique o contrato.',
      email: 'Indique o seu e-mail.',
    },
    entryErrors: {
      too_long: (maximum) => `Escreva no máximo ${maximum} caracteres.`,
      malformed: () => 'Indique um e-mail como nome@example.com.',
      incomplete: () => 'O e-mail está completo? Falta um final como «.com». Corrija-o ou continue com ele.',
      rejected: () => 'Este texto não foi aceite. Escreva-o de outra forma.',
    },
    known: 'Já tinha feito esta declaração. Este é o comprovativo da primeira.',
    downloads: { text: 'Descarregar o comprovativo', jws: 'Para peritos: o comprovativo assinado (JWS)' },
    stored: {
      title: 'A sua retratação está registada',
      retry: 'Mostrar o comprovativo',
    },
    unavailable: {
      title: 'O serviço não está disponível agora',
      retryText:
        'Os seus textos continuam aqui. Tente de novo dentro de minutos: a declaração conta uma vez, mesmo que chegue duas vezes.',
      writeText: (shop) =>
        `Se não puder esperar, envie o texto seguinte ${shop === undefined ? 'à loja' : `a ${shop}`} por e-mail ou carta. Essa declaração também é válida.`,
      retry: 'Tentar de novo',
      later: 'Tente de novo dentro de minutos.',
    },
    unreadable: {
      title: 'O formulário não pode ser lido',
      back: 'Abrir o formulário',
      media_type: 'O formulário não está em UTF-8. Nada foi enviado.',
      too_large: 'O formulário é demasiado grande. Nada foi enviado. Escreva menos.',
      malformed: 'O formulário está incompleto ou danificado. Nada foi enviado.',
      unknown_field: 'O formulário tem um campo que esta página não conhece. Nada foi enviado.',
      repeated_field: 'O formulário tem um campo repetido. Nada foi enviado.',
    },
    expired: {
      title: 'O comprovativo já não é mostrado aqui',
    },
    unknownReceipt: {
      title: 'Este endereço não mostra nenhum comprovativo',
    },
  },
  es: {
    own: 'Español',
    languages: 'Idioma',
    withdraw: 'Desistir del contrato aquí',
    confirm: 'Confirmar desistimiento',
    intro: (shop) => `Aquí declara a ${shop ?? 'la tienda'} que desiste de un contrato. No necesita cuenta ni motivo.`,
    step: (number) => `Paso ${number} de 2`,
    optional: 'opcional',
    hints: {
      contract:
        'El número de pedido, como en el correo que lo confirmó, u otro dato que identifique el contrato. No necesita saberlo con exactitud.',
      lines: 'Déjelo vacío para desistir de todo el contrato.',
    },
    next: 'Continuar',
    check: 'Compruebe su declaración. Se envía cuando pulse el botón de abajo.',
    change: 'Modificar',
    checkAgain: 'Todavía no se ha enviado nada. Compruebe otra vez la declaración y después confírmela.',
    error: 'Error',
    errors: 'Corrija estos campos',
    missing: {
      name: 'Indique su nombre.',
      contract: 'Indique el número de pedido, u otro dato que identifique el contrato.',
      email: 'Indique su correo electrónico.',
    },
    entryErrors: {
      too_long: (maximum) => `Escriba como máximo ${maximum} caracteres.`,
      malformed: () => 'Indique un correo electrónico como nombre@example.com.',
      incomplete: () => '¿Está completo el correo? No tiene un final como «.com». Corríjalo o continúe con él.',
      rejected: () => 'Este texto no se ha aceptado. Escríbalo de otra forma.',
    },
    known: 'Ya había hecho esta declaración. Este es el acuse de la primera.',
    downloads: { text: 'Descargar el acuse', jws: 'Para expertos: el acuse firmado (JWS)' },
    stored: {
      title: 'Su desistimiento está registrado',
      retry: 'Mostrar el acuse de recibo',
    },
    unavailable: {
      title: 'El servicio no está disponible ahora',
      retryText:
        'Sus textos siguen aquí. Inténtelo otra vez en unos minutos: la declaración cuenta una vez, aunque llegue dos veces.',
      writeText: (shop) =>
        `Si no puede esperar, envíe el texto siguiente a ${shop ?? 'la tienda'} por correo electrónico o carta. Esa declaración también es válida.`,
      retry: 'Intentar otra vez',
      later: 'Inténtelo otra vez en unos minutos.',
    },
    unreadable: {
      title: 'El formulario no se puede leer',
      back: 'Abrir el formulario',
      media_type: 'La solicitud no es un formulario en UTF-8. No se ha enviado nada.',
      too_large: 'El formulario es demasiado grande. No se ha enviado nada. Escriba menos.',
      malformed: 'El formulario está incompleto o dañado. No se ha enviado nada.',
      unknown_field: 'El formulario tiene un campo que esta página no conoce. No se ha enviado nada.',
      repeated_field: 'El formulario tiene un campo repetido. No se ha enviado nada.',
    },
    expired: {
      title: 'El acuse de recibo ya no se muestra aquí',
    },
    unknownReceipt: {
      title: 'Esta dirección no muestra ningún acuse de recibo',
    },
  },
  de: {
    own: 'Deutsch',
    languages: 'Sprache',
    withdraw: 'Vertrag widerrufen',
    confirm: 'Widerruf bestätigen',
    intro: (shop) =>
      `Hier erklären Sie gegenüber ${shop ?? 'dem Shop'}, dass Sie einen Vertrag widerrufen. Sie brauchen kein Konto und keinen Grund.`,
    step: (number) => `Schritt ${number} von 2`,
    optional: 'freiwillig',
    hints: {
      contract:
        'Die Bestellnummer, wie in der E-Mail mit der Bestellbestätigung, oder eine andere Angabe zum Vertrag. Sie müssen sie nicht genau wissen.',
      lines: 'Lassen Sie das Feld leer, um den gesamten Vertrag zu widerrufen.',
    },
    next: 'Weiter',
    check: 'Bitte prüfen Sie Ihre Erklärung. Sie wird gesendet, wenn Sie auf die Schaltfläche unten drücken.',
    change: 'Ändern',
    checkAgain:
      'Es wurde noch nichts gesendet. Bitte prüfen Sie Ihre Erklärung noch einmal und bestätigen Sie sie dann.',
    error: 'Fehler',
    errors: 'Bitte berichtigen Sie diese Felder',
    missing: {
      name: 'Geben Sie Ihren Namen an.',
      contract: 'Geben Sie die Bestellnummer oder eine andere Angabe zum Vertrag an.',
      email: 'Geben Sie Ihre E-Mail-Adresse an.',
    },
    entryErrors: {
      too_long: (maximum) => `Schreiben Sie höchstens ${maximum} Zeichen.`,
      malformed: () => 'Geben Sie eine E-Mail-Adresse wie name@example.com an.',
      incomplete: () =>
        'Ist die Adresse vollständig? Ihr fehlt eine Endung wie „.com“. Berichtigen Sie sie, oder fahren Sie mit ihr fort.',
      rejected: () => 'Dieser Text wurde nicht angenommen. Bitte schreiben Sie ihn anders.',
    },
    known: 'Sie hatten dies schon erklärt. Dies ist die Eingangsbestätigung Ihrer ersten Erklärung.',
    downloads: { text: 'Eingangsbestätigung herunterladen', jws: 'Für Fachleute: die signierte Fassung (JWS)' },
    stored: {
      title: 'Ihr Widerruf ist gespeichert',
      retry: 'Eingangsbestätigung anzeigen',
    },
    unavailable: {
      title: 'Der Dienst ist jetzt nicht erreichbar',
      retryText:
        'Ihre Angaben sind noch da. Versuchen Sie es in einigen Minuten noch einmal: Ihre Erklärung zählt einmal, auch wenn sie zweimal ankommt.',
      writeText: (shop) =>
        `Wenn Sie nicht warten können, senden Sie den folgenden Text per E-Mail oder Brief an ${shop ?? 'den Shop'}. Auch eine solche Erklärung ist gültig.`,
      retry: 'Noch einmal versuchen',
      later: 'Bitte versuchen Sie es in einigen Minuten noch einmal.',
    },
    unreadable: {
      title: 'Das Formular ist nicht lesbar',
      back: 'Formular öffnen',
      media_type: 'Die Anfrage ist kein Formular in UTF-8. Es wurde nichts gesendet.',
      too_large: 'Das Formular ist zu groß. Es wurde nichts gesendet. Bitte schreiben Sie weniger.',
      malformed: 'Das Formular ist unvollständig oder beschädigt. Es wurde nichts gesendet.',
      unknown_field: 'Das Formular hat ein Feld, das diese Seite nicht kennt. Es wurde nichts gesendet.',
      repeated_field: 'Das Formular hat ein Feld zweimal. Es wurde nichts gesendet.',
    },
    expired: {
      title: 'Die Eingangsbestätigung wird hier nicht mehr angezeigt',
    },
    unknownReceipt: {
      title: 'Diese Adresse zeigt keine Eingangsbestätigung',
    },
  },
  fr: {
    own: 'Français',
    languages: 'Langue',
    withdraw: 'Renoncer au contrat ici',
    confirm: 'Confirmer la rétractation',
    intro: (shop) =>
      `Ici, vous déclarez à ${shop ?? 'la boutique'} que vous vous rétractez d’un contrat. Aucun compte ni motif n’est nécessaire.`,
    step: (number) => `Étape ${number} sur 2`,
    optional: 'facultatif',
    hints: {
      contract:
        'Le numéro de commande, comme dans l’e-mail de confirmation, ou une autre indication du contrat. Il n’est pas nécessaire de le savoir exactement.',
      lines: 'Laissez ce champ vide pour vous rétracter du contrat entier.',
    },
    next: 'Continuer',
    check: 'Vérifiez votre déclaration. Elle est envoyée lorsque vous appuyez sur le bouton ci-dessous.',
    change: 'Modifier',
    checkAgain: 'Rien n’a encore été envoyé. Vérifiez encore une fois votre déclaration, puis confirmez-la.',
    error: 'Erreur',
    errors: 'Corrigez ces champs',
    missing: {
      name: 'Indiquez votre nom.',
      contract: 'Indiquez le numéro de commande, ou une autre indication du contrat.',
      email: 'Indiquez votre adresse e-mail.',
    },
    entryErrors: {
      too_long: (maximum) => `Écrivez au maximum ${maximum} caractères.`,
      malformed: () => 'Indiquez une adresse e-mail comme nom@example.com.',
      incomplete: () =>
        'L’adresse est-elle complète ? Elle n’a pas de fin comme « .com ». Corrigez-la, ou continuez avec elle.',
      rejected: () => 'Ce texte n’a pas été accepté. Écrivez-le d’une autre manière.',
    },
    known: 'Vous aviez déjà fait cette déclaration. Voici l’accusé de la première.',
    downloads: { text: 'Télécharger l’accusé', jws: 'Pour les experts : l’accusé signé (JWS)' },
    stored: {
      title: 'Votre rétractation est enregistrée',
      retry: 'Afficher l’accusé de réception',
    },
    unavailable: {
      title: 'Le service n’est pas disponible maintenant',
      retryText:
        'Vos textes sont toujours là. Réessayez dans quelques minutes : la déclaration compte une fois, même si elle arrive deux fois.',
      writeText: (shop) =>
        `Si vous ne pouvez pas attendre, envoyez le texte suivant à ${shop ?? 'la boutique'} par e-mail ou par lettre. Une telle déclaration est aussi valable.`,
      retry: 'Réessayer',
      later: 'Réessayez dans quelques minutes.',
    },
    unreadable: {
      title: 'Le formulaire ne peut pas être lu',
      back: 'Ouvrir le formulaire',
      media_type: 'La demande n’est pas un formulaire en UTF-8. Rien n’a été envoyé.',
      too_large: 'Le formulaire est trop grand. Rien n’a été envoyé. Écrivez moins.',
      malformed: 'Le formulaire est incomplet ou endommagé. Rien n’a été envoyé.',
      unknown_field: 'Le formulaire a un champ que cette page ne connaît pas. Rien n’a été envoyé.',
      repeated_field: 'Le formulaire a un champ répété. Rien n’a été envoyé.',
    },
    expired: {
      title: 'L’accusé de réception n’est plus affiché ici',
    },
    unknownReceipt: {
      title: 'Cette adresse n’affiche aucun accusé de réception',
    },
  },
};
