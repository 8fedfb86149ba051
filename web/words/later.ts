// Words of screens that are loaded when they are first opened: they come with those screens, in both languages, and cost the
// first load nothing.
import { type Language, settings } from '../settings.ts';
import { useStore } from '../store.ts';
import { acts as enActs } from './en-acts.ts';
import { contract as enContract } from './en-contract.ts';
import { registry as enRegistry } from './en-registry.ts';
import { acts as frActs } from './fr-acts.ts';
import { contract as frContract } from './fr-contract.ts';
import { registry as frRegistry } from './fr-registry.ts';

const en = { ...enRegistry, ...enActs, contract: enContract };
export type LaterWords = typeof en;

export const laterWords: { readonly [L in Language]: LaterWords } = {
  en,
  fr: { ...frRegistry, ...frActs, contract: frContract },
};

export const useLater = (): LaterWords => laterWords[useStore(settings).language];
