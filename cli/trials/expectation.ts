// What a contract allows the product to do after an interruption, and hence what a trial must observe. Owns: that table.
// It is written from the contract alone, and apart from the product's own verdict, so that the two hold each other.
import type { Effect } from '../../functions/core/records/action.ts';
import type { Contract } from '../../functions/core/registry/contract.ts';
import type { Say } from '../kit/speech.ts';
import type { Found } from './objects.ts';
import type { Counts } from './proxy/proxy.ts';
import type { Seen } from './watch.ts';

/** How this contract lets an unknown outcome be found out. */
export type Way = 'look_up' | 'partial_look_up' | 'natural_look_up' | 'key' | 'person';

export const wayOf = ({ lookUp, key }: Contract): Way => {
  if (lookUp !== undefined) {
    if (lookUp.by === 'natural') return 'natural_look_up';
    return lookUp.coverage.complete ? 'look_up' : 'partial_look_up';
  }
  const repeats = key.kind === 'key' && key.onRepeat !== 'error' && key.onRepeat !== 'overwrites';
  return repeats ? 'key' : 'person';
};

/** The reply is lost after the write, or the request never arrives, or the connection is refused. */
export type Interruption = 'written' | 'never_arrived' | 'not_transmitted';

export interface Expected {
  readonly effects: readonly Effect[];
  /** Calls that the destination may have been given. */
  readonly forwarded: readonly [least: number, most: number];
  readonly objects: number;
}

const done: readonly Effect[] = ['confirmed', 'accepted'];
const unknown: readonly Effect[] = ['undetermined'];
const attemptsMax = 3;

export const expectedAfter = (interruption: Interruption, way: Way): Expected => {
  if (interruption === 'not_transmitted') return { effects: done, forwarded: [1, 1], objects: 1 };
  if (interruption === 'never_arrived')
    return way === 'look_up' || way === 'key'
      ? { effects: done, forwarded: [1, 1], objects: 1 }
      : { effects: unknown, forwarded: [0, 0], objects: 0 };
  switch (way) {
    case 'look_up':
    case 'partial_look_up':
      return { effects: ['confirmed'], forwarded: [1, 1], objects: 1 };
    case 'key':
      return { effects: done, forwarded: [1, attemptsMax], objects: 1 };
    case 'natural_look_up':
    case 'person':
      return { effects: unknown, forwarded: [1, 1], objects: 1 };
  }
};

/** The same as a sentence. */
export const expectationSentence = (
  { effects, forwarded: [, most], objects }: Expected,
  way: Way,
  say: Say,
): string => {
  const object = say(
    objects === 0 ? 'no object' : 'one object, not two',
    objects === 0 ? 'aucun objet' : 'un objet, et non deux',
  );
  if (effects.includes('undetermined'))
    return say(
      `Nothing in this contract can tell what happened: the action is shown as undetermined, a person is called, nothing is sent again; ${object}.`,
      `Rien dans ce contrat ne dit ce qui s’est passé : l’action est montrée indéterminée, une personne est appelée, rien n’est renvoyé ; ${object}.`,
    );
  const how = {
    look_up: say('found out by the look-up', 'établi par la recherche'),
    partial_look_up: say('found out by the look-up', 'établi par la recherche'),
    natural_look_up: say('tried again', 'tenté à nouveau'),
    person: say('tried again', 'tenté à nouveau'),
    key: say('repeated with the same key', 'répété avec la même clé'),
  }[way];
  return say(
    `The action ends as ${effects.join(' or ')} (${how}), the destination is given it at most ${most} time(s); ${object}.`,
    `L’action finit « ${effects.join(' » ou « ')} » (${how}), le destinataire la reçoit au plus ${most} fois ; ${object}.`,
  );
};

/** What in an observation is not as expected, one sentence each. */
export const faultsAgainst = (
  expected: Expected,
  {
    seen,
    counts,
    objects,
  }: { readonly seen: Seen; readonly counts: Counts; readonly objects: Found },
  say: Say,
): readonly string[] => {
  const { effect } = seen.action;
  const [least, most] = expected.forwarded;
  const faults: string[] = [];
  if (!expected.effects.includes(effect))
    faults.push(
      say(
        `The action is "${effect}", not ${expected.effects.map((one) => `"${one}"`).join(' or ')}.`,
        `L’action est « ${effect} », et non ${expected.effects.map((one) => `« ${one} »`).join(' ou ')}.`,
      ),
    );
  if (counts.forwarded < least || counts.forwarded > most)
    faults.push(
      say(
        `The destination was given the call ${counts.forwarded} time(s), expected ${least === most ? least : `${least} to ${most}`}.`,
        `Le destinataire a reçu l’appel ${counts.forwarded} fois ; attendu : ${least === most ? least : `de ${least} à ${most}`}.`,
      ),
    );
  if (objects.count !== undefined && objects.count !== expected.objects)
    faults.push(
      objects.count > expected.objects
        ? say(
            `There are ${objects.count} objects at the destination where ${expected.objects} should be: it was done twice.`,
            `Il y a ${objects.count} objets chez le destinataire là où il devrait y en avoir ${expected.objects} : c’est fait deux fois.`,
          )
        : say(
            `There are ${objects.count} objects at the destination where ${expected.objects} should be.`,
            `Il y a ${objects.count} objets chez le destinataire là où il devrait y en avoir ${expected.objects}.`,
          ),
    );
  return faults;
};
