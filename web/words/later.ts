// Words of screens that are loaded when they are first opened: they come with those screens, in both languages, and cost the
// first load nothing.
import { type Language, settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import { acts as enActs } from './en/acts.ts';
import { again as enAgain } from './en/again.ts';
import { contract as enContract } from './en/contract.ts';
import { desk as enDesk } from './en/desk.ts';
import { evidence as enEvidence } from './en/evidence.ts';
import { faults as enFaults } from './en/faults.ts';
import type { Words } from './en/first.ts';
import { habits as enHabits } from './en/habits.ts';
import { lists as enLists } from './en/lists.ts';
import { overview as enOverview } from './en/overview.ts';
import { registry as enRegistry } from './en/registry.ts';
import { requests as enRequests } from './en/requests.ts';
import { routines as enRoutines } from './en/routines.ts';
import { run as enRun } from './en/run.ts';
import { trace as enTrace } from './en/trace.ts';
import { acts as frActs } from './fr/acts.ts';
import { again as frAgain } from './fr/again.ts';
import { contract as frContract } from './fr/contract.ts';
import { desk as frDesk } from './fr/desk.ts';
import { evidence as frEvidence } from './fr/evidence.ts';
import { faults as frFaults } from './fr/faults.ts';
import { habits as frHabits } from './fr/habits.ts';
import { lists as frLists } from './fr/lists.ts';
import { overview as frOverview } from './fr/overview.ts';
import { registry as frRegistry } from './fr/registry.ts';
import { requests as frRequests } from './fr/requests.ts';
import { routines as frRoutines } from './fr/routines.ts';
import { run as frRun } from './fr/run.ts';
import { trace as frTrace } from './fr/trace.ts';

const en = {
  ...enRegistry,
  ...enRequests,
  ...enActs,
  ...enEvidence,
  ...enHabits,
  again: enAgain,
  contract: enContract,
  desk: enDesk,
  lists: enLists,
  overview: enOverview,
  faults: enFaults,
  routines: enRoutines,
  run: enRun,
  trace: enTrace,
};
export type LaterWords = typeof en;

export const laterWords: { readonly [L in Language]: LaterWords } = {
  en,
  fr: {
    ...frRegistry,
    ...frRequests,
    ...frActs,
    ...frEvidence,
    ...frHabits,
    again: frAgain,
    contract: frContract,
    desk: frDesk,
    lists: frLists,
    overview: frOverview,
    faults: frFaults,
    routines: frRoutines,
    run: frRun,
    trace: frTrace,
  },
};

/** All of them, with those of the first load. */
export type AllWords = Words & LaterWords;

export const useLater = (): LaterWords => laterWords[useStore(settings).language];
