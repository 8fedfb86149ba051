// What the demo CRM holds when it is new or reset: a few customers and their payments, data only.
import type { Store } from './store.ts';

const customers = [
  ['cus_acme', 'Acme SARL', 'Marta Keller', 'marta@acme.example', 'Lyon'],
  ['cus_blumen', 'Blumen Roth GmbH', 'Jonas Roth', 'jonas@blumen-roth.example', 'Basel'],
  ['cus_nordlys', 'Nordlys AS', 'Ingrid Dahl', 'ingrid@nordlys.example', 'Bergen'],
  ['cus_ciel', 'Ciel et Fils', 'Élodie Ciel', 'elodie@ciel.example', 'Nantes'],
  ['cus_northwind', 'Northwind Traders', 'Sam Okafor', 'sam@northwind.example', 'Leeds'],
] as const;

const payments = [
  ['pay_1001', 'cus_acme', 8_200_000, 'Invoice 2026-114'],
  ['pay_1002', 'cus_acme', 125_000, 'Invoice 2026-131'],
  ['pay_1003', 'cus_blumen', 49_900, 'Invoice 2026-120'],
  ['pay_1004', 'cus_nordlys', 1_250_000, 'Invoice 2026-127'],
  ['pay_1005', 'cus_ciel', 310_000, 'Invoice 2026-140'],
] as const;

/** Fills `account` unless it has customers already. */
export const seed = (store: Store, account: string, createdAtMs: number): void =>
  store.transaction(() => {
    if (store.list({ kind: 'customer', account }).length > 0) return;
    for (const [id, name, contact, email, city] of customers)
      store.add(
        { kind: 'customer', account },
        { id, createdAtMs, body: { name, contact, email, city } },
      );
    for (const [id, customer_id, amount_cents, label] of payments)
      store.add(
        { kind: 'payment', account },
        { id, createdAtMs, body: { customer_id, amount_cents, currency: 'EUR', label } },
      );
  });
