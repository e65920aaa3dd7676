import type { PolicyWords } from './words.ts';

export const de: PolicyWords = {
  facts: {
    'line.categories': 'Produktkategorie',
    'line.sku': 'SKU',
    'line.brand': 'Marke',
    'line.condition': 'Zustand des Artikels',
    'line.reason': 'Grund',
    'line.reasonGroup': 'Art des Grundes',
    'line.fault': 'Verantwortlicher',
    'return.basis': 'Rechtsgrund der Rückgabe',
    'order.currency': 'Währung der Bestellung',
    'order.saleType': 'Art des Verkaufs',
  },
  finalSale: {
    is: 'Artikel aus einem endgültigen Verkauf',
    isNot: 'Artikel, die nicht aus einem endgültigen Verkauf sind',
  },
  values: {
    customer: 'Kunde',
    merchant: 'Shop',
    carrier: 'Transportunternehmen',
    none: 'niemand',
    withdrawal: 'Widerruf',
    defect: 'Mangel',
    warranty: 'Garantie',
    wrong_item: 'falscher Artikel',
    transit_damage: 'Transportschaden',
    goodwill: 'Kulanz',
    recall: 'Rückruf',
    distance: 'Fernabsatz',
    off_premises: 'Verkauf außerhalb des Geschäfts',
    in_store: 'Verkauf im Geschäft',
  },
  quoted: (value) => `„${value}“`,
  otherThan: (fact, values) => `${fact} außer ${values}`,
  and: ' und ',
  only: (circumstances) => `Nur für: ${circumstances}.`,
  except: (circumstances) => `Nicht für: ${circumstances}.`,
  unlimited: 'Rückgaben haben keine Frist.',
  days: { one: '{n} Tag', other: '{n} Tage' },
  anchors: {
    delivered: 'der Lieferung des Artikels',
    last_item_delivered: 'der Lieferung des letzten Artikels der Bestellung',
    shipped: 'dem Versand des Artikels',
    placed: 'der Bestellung',
  },
  window: (days, anchor) => `Artikel können bis ${days} nach ${anchor} zurückgegeben werden.`,
  fallback: (days, anchor) => `Ist dieses Datum unbekannt, endet die Frist ${days} nach ${anchor}.`,
  nextWorkingDay: 'Ist der letzte Tag kein Arbeitstag, zählt der nächste Arbeitstag.',
  season: (from, to, until) =>
    `Bestellungen vom ${from} bis zum ${to} können mindestens bis zum ${until} zurückgegeben werden.`,
  excluded: 'Diese Artikel können nicht zurückgegeben werden.',
  required: {
    note: 'Beschreiben Sie bei der Anfrage den Grund.',
    evidence: 'Fügen Sie der Anfrage ein Foto oder einen anderen Nachweis bei.',
  },
  resolutions: (list) => `Zur Wahl stehen: ${list}.`,
  moreResolutions: 'In einzelnen Fällen sind andere Lösungen möglich.',
  noFee: {
    restocking: 'Es gibt keine Bearbeitungsgebühr.',
    return_shipping: 'Für den Rückversand wird nichts abgezogen.',
    inspection: 'Für Wertverlust wird nichts abgezogen.',
    promotion: 'Der Rabatt einer Aktion wird nicht abgezogen.',
  },
  removedBy: (laws) => `Das gilt nicht, wo dieses Gesetz gilt: ${laws}.`,
  years: { one: '{n} Jahr', other: '{n} Jahre' },
  right: {
    withdrawal: (law, period) =>
      `Verbraucher können den Vertrag außerdem nach dem Gesetz widerrufen${period === undefined ? '' : `, bis ${period} nach der Lieferung`} (${law}).`,
    fault: (law, period) =>
      `Verbraucher haben außerdem gesetzliche Rechte bei Mängeln${period === undefined ? '' : `, bis ${period} nach der Lieferung`} (${law}).`,
  },
  examination: {
    each: 'Wir prüfen jede Rückgabe, bevor wir sie genehmigen.',
    single: 'Wir können einzelne Rückgaben prüfen und anders entscheiden.',
  },
};
