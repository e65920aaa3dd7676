/*
 * Texts that stored values repeat: field names and common values. The most frequent come last, where deflate references
 * them with the shortest distance. A deflated value can only be read with its dictionary, so a dictionary never changes
 * once a release has stored values with it. A new one gets new numbers in lib/store/engine/pack.ts.
 */

export const dictionary = Buffer.from(
  [
    // Fields of all stored values.
    '"discountTotal":{"amount":"taxTotal":{"amount":"taxIncluded":true,"fulfilledQuantity":"deliveries":[{"quantity":"placedAt":"20',
    '"completeness":"full","destination":{"country":"segment":"timeZone":"saleType":"distance","buyerIsConsumer":true,"payments":[{',
    '"shipping":{"amount":0,"currency":"observed":{"at":"20"older":{}},"unitPrice":{"amount":"facts":{"number":"source":"shopify","country":"',
    '"parcelId":"pcl_01"carrier":"trackingNumber":"direction":"inbound","status":"label_created","contents":[{"lineId":"events":[{"status":"delivered","at":"20',
    '"inspections":[{"id":"ins_01"outcome":"accept","disposition":"restock","deductionBps":0,"grade":"A","cause":"not_in_parcel","granted":0',
    '"breakdown":{"lines":[{"orderLineId":"deductions":[],"shipping":"other":{"amount":0,"currency":"EUR"}},"attempts":[{"status":"submitted","submittedAt":"20',
    '"id":"rfd_01"method":"original_payment","amount":{"amount":"returnLines":[{"lineId":"status":"pending","recordedAt":"20"occurredAt":"20"providerRef":"',
    '"granted":{"units":0,"gross":0,"tax":0}},"held":1,"refundedAlone":0,"returns":1,"lines":{"refunded":{"amount":0,"shipping":0}}',
    '"causationId":"correlationId":"policyVersion":null,"previousHash":"hash":"head":"version":2,"sequence":2,"from":"requested","to":"approved","type":"return.approved","data":{"lines":[{"lineId":"rln_01',
    '"actor":{"clientId":"onBehalfOf":"type":"return.requested","from":null,"to":"requested","data":{',
    '"terms":{"approval":"manual","refundTiming":"received","inspection":"required","shipping":"none","fees":{"restockingBps":0,"restockingCap":null,"returnShipping":0,"inspectionCapBps":10000},"deadlines":{"shipByDays":null,"answerByDays":null,"inspectByDays":null,"refundDueDays":14},"floor":null,"refundApprovalLimit":{},"policyVersion":null}',
    '"waivers":[],"recoveries":[],"exchanges":[],"evidence":[],"messages":[],"notes":[],"released":[],"discrepancies":[],"refunds":[],"parcels":[],"unexpected":[],"tags":[],"metadata":{},"externalRefs":[{"platform":"shopify","id":"',
    '"status":"approved","managedBy":"service","initiatedBy":"customer","initiatedBy":"agent","isGift":false,"channel":"customer":{"id":"subject":"order":{"platform":"orderId":"number":"#',
    '"decision":{"overridden":false,"overrides":[]},"refundStatus":"none","skus":["reasons":["trackingNumbers":[],"dueAt":"20"customerId":"quantity":1,',
    '"id":"ret_01"rmaNumber":"requestedAt":"20"approvedAt":"20"createdAt":"20"updatedAt":"20',
    '"reason":{"code":"fit.too_small","note":{"ref":"rln_01"digest":"},"resolution":"refund","sku":"',
    '"amounts":{"gross":{"amount":"currency":"EUR"},"tax":{"amount":0,"currency":"EUR"},"net":{"amount":"currency":"EUR"},"maxRefundable":{"amount":"currency":"EUR"},"refunded":{"amount":0,"currency":"EUR"}},"inspections":[],"missing":[]',
    '"lines":[{"id":"rln_01"orderLineId":"quantities":{"requested":1,"approved":0,"rejected":0,"cancelled":0,"returnless":0,"received":0,"missing":0,"accepted":0,"refused":0,"granted":0,"refunded":0,"exchanged":0}',
    // A return with a policy decision as it is written. Field order matters, so that deflate finds long matches.
    '"changed":["order","lines"],"renewed":{"judgement":{"decisionId":"dec_01"eligibility":{"verdict":"ineligible","code":"',
    '{"id":"ret_01"rmaNumber":"","status":"requested","version":1,"order":{"platform":"shopify","orderId":"","number":"#"},',
    '"managedBy":"service","externalRefs":[{"platform":"shopify","id":""}],"initiatedBy":"customer","customerId":"","quantity":1,',
    '"refundStatus":"none","skus":[""],"reasons":["fit.too_small"],"trackingNumbers":[],"tags":[],"requestedAt":"20","createdAt":"20","updatedAt":"20"}',
    '{"id":"ret_01"rmaNumber":"","order":{"platform":"shopify","orderId":"","number":"#"},"subject":"shopify:customer:","customer":{"id":""},',
    '"managedBy":"service","externalRefs":[{"platform":"shopify","id":""}],"initiatedBy":"customer","isGift":false,',
    '"lines":[{"id":"rln_01","orderLineId":"","sku":"","reason":{"code":"fit.too_small","note":{"ref":"rln_01","digest":""}},"resolution":"refund",',
    '"amounts":{"gross":{"amount":1,"currency":"EUR"},"tax":{"amount":0,"currency":"EUR"},"net":{"amount":1,"currency":"EUR"},',
    '"maxRefundable":{"amount":1,"currency":"EUR"},"refunded":{"amount":0,"currency":"EUR"}},',
    '"quantities":{"requested":1,"approved":1,"rejected":0,"cancelled":0,"returnless":0,"received":0,"missing":0,"accepted":0,"refused":0,',
    '"granted":0,"refunded":0,"exchanged":0},"inspections":[],"missing":[]}],"tags":[],"metadata":{},',
    '"terms":{"approval":"auto","refundTiming":"received","inspection":"required","shipping":"none",',
    '"fees":{"restockingBps":0,"restockingCap":null,"returnShipping":0,"inspectionCapBps":10000},',
    '"deadlines":{"shipByDays":null,"answerByDays":null,"inspectByDays":null,"refundDueDays":14},"floor":null,"refundApprovalLimit":{},',
    '"policyVersion":"pol_01/1"},"decision":{"decisionId":"dec_01","policyVersion":"pol_01/1","verdict":"approved","overridden":false,"overrides":[]},',
    '"status":"approved","parcels":[],"unexpected":[],"refunds":[],"waivers":[],"recoveries":[],"exchanges":[],"evidence":[],"discrepancies":[],',
    '"messages":[],"notes":[],"released":[],"requestedAt":"20","createdAt":"20","updatedAt":"20","version":2,"head":"","approvedAt":"20"}',
    // A summary as it is written, with its amounts and its next step.
    '"nextStep":{"action":"recordRefundResult","by":"finance"},"flags":["discrepancy","unexpected","recovery"],',
    '"action":"addParcel","by":"customer"},"action":"inspect","by":"warehouse"},"action":"receive","by":"warehouse"},',
    '"action":"refund","by":"finance"},"action":"complete","by":"staff"},"refundStatus":"due","amounts":{"worth":{"amount":',
    '{"id":"ret_01"rmaNumber":"","status":"approved","version":2,"order":{"platform":"shopify","orderId":"","number":"#"},',
    '"managedBy":"service","externalRefs":[{"platform":"shopify","id":""}],"initiatedBy":"customer","customerId":"","quantity":1,',
    '"refundStatus":"none","skus":[""],"reasons":["fit.too_small"],"dueAt":"2026-","openUnits":1,',
    '"amounts":{"worth":{"amount":1999,"currency":"EUR"},"refunded":{"amount":0,"currency":"EUR"},"due":{"amount":0,"currency":"EUR"}},',
    '"nextStep":{"action":"approve","by":"staff"},"flags":[],"tags":[],',
    '"requestedAt":"2026-","createdAt":"2026-","updatedAt":"2026-',
  ].join(''),
);
