import type { Language } from '../returns/input-checks.ts';
import { builtInReasonRows } from '../returns/rules/reasons.ts';

type Code = (typeof builtInReasonRows)[number][0];

type Labels = Readonly<Record<Language, string>>;

/* Labels of the built-in reasons: pt, es, de, fr. The English labels are in lib/domain/returns/rules/reasons.ts. */
const translated: Readonly<Record<Code, readonly [pt: string, es: string, de: string, fr: string]>> = {
  'preference.changed_mind': ['Mudança de ideia', 'Cambio de opinión', 'Meinung geändert', 'Changement d’avis'],
  'preference.better_price': [
    'Preço melhor em outra loja',
    'Mejor precio en otra tienda',
    'Besseren Preis gefunden',
    'Meilleur prix ailleurs',
  ],
  'preference.style': ['Estilo não desejado', 'Estilo no deseado', 'Stil gefällt nicht', 'Style non souhaité'],
  'preference.color': ['Cor não desejada', 'Color no deseado', 'Farbe gefällt nicht', 'Couleur non souhaitée'],
  'fit.too_small': ['Muito pequeno', 'Demasiado pequeño', 'Zu klein', 'Trop petit'],
  'fit.too_large': ['Muito grande', 'Demasiado grande', 'Zu groß', 'Trop grand'],
  'fit.other': ['Não serve', 'No sienta bien', 'Passt nicht', 'Ne convient pas'],
  'order_error.customer_ordered_wrong': [
    'Encomenda do produto errado',
    'Artículo pedido por error',
    'Falschen Artikel bestellt',
    'Mauvais article commandé',
  ],
  'order_error.duplicate': ['Encomenda duplicada', 'Pedido duplicado', 'Doppelt bestellt', 'Commandé deux fois'],
  'order_error.unauthorized': [
    'Encomenda sem autorização',
    'Pedido sin autorización',
    'Ohne Erlaubnis bestellt',
    'Commandé sans autorisation',
  ],
  'fulfilment.wrong_item': [
    'Recebido o produto errado',
    'Artículo recibido equivocado',
    'Falschen Artikel erhalten',
    'Mauvais article reçu',
  ],
  'fulfilment.missing_parts': ['Faltam peças', 'Faltan piezas', 'Teile fehlen', 'Pièces manquantes'],
  'fulfilment.extra_item': [
    'Recebido um produto não encomendado',
    'Artículo recibido sin pedirlo',
    'Nicht bestellten Artikel erhalten',
    'Article reçu sans commande',
  ],
  'delivery.late': ['Chegou tarde demais', 'Llegó demasiado tarde', 'Zu spät geliefert', 'Livré trop tard'],
  'delivery.not_delivered': ['Não foi entregue', 'No se entregó', 'Nicht geliefert', 'Non livré'],
  'condition.damaged_in_transit': [
    'Danificado no transporte',
    'Dañado en el transporte',
    'Auf dem Transport beschädigt',
    'Endommagé pendant le transport',
  ],
  'condition.defective': ['Com defeito', 'Defectuoso', 'Defekt', 'Défectueux'],
  'condition.damaged_or_defective': [
    'Danificado ou com defeito',
    'Dañado o defectuoso',
    'Beschädigt oder defekt',
    'Endommagé ou défectueux',
  ],
  'condition.packaging_damaged': [
    'Embalagem danificada',
    'Embalaje dañado',
    'Verpackung beschädigt',
    'Emballage endommagé',
  ],
  'description.not_as_described': [
    'Diferente da descrição',
    'Distinto de la descripción',
    'Entspricht nicht der Beschreibung',
    'Non conforme à la description',
  ],
  'product.quality': [
    'Qualidade abaixo do esperado',
    'Calidad inferior a la esperada',
    'Qualität nicht wie erwartet',
    'Qualité inférieure aux attentes',
  ],
  'product.performance': [
    'Desempenho abaixo do esperado',
    'Rendimiento inferior al esperado',
    'Leistung nicht wie erwartet',
    'Performances inférieures aux attentes',
  ],
  'product.incompatible': ['Não compatível', 'No compatible', 'Nicht kompatibel', 'Non compatible'],
  'safety.adverse_reaction': [
    'Causou uma reação adversa',
    'Causó una reacción adversa',
    'Unverträglichkeit',
    'A provoqué une réaction indésirable',
  ],
  other: ['Outro motivo', 'Otro motivo', 'Anderer Grund', 'Autre motif'],
  unknown: ['Desconhecido', 'Desconocido', 'Unbekannt', 'Inconnu'],
};

/** The labels of the built-in reasons in all languages, by code. It is a Map because `__proto__` is a valid code. */
export const reasonLabels: ReadonlyMap<string, Labels> = new Map(
  builtInReasonRows.map(([code, , en]) => {
    const [pt, es, de, fr] = translated[code];
    return [code, { en, pt, es, de, fr }];
  }),
);
