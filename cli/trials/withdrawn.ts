// The authorisation is withdrawn between two attempts. Owns: that trial.
import { z } from 'zod';
import type { Action } from '../../functions/core/records/action.ts';
import { firstAttemptEnded } from './interrupted.ts';
import {
  before,
  countSentence,
  exhibitOf,
  judged,
  objectsNow,
  proxySentence,
  stateSentence,
  type Trying,
} from './part.ts';
import type { Part } from './report/report.ts';
import type { Session } from './session.ts';
import { actionOf, atRest } from './watch.ts';

/** Through the API: the approval that this action acts under, or the agent's standing permission to use the tool. */
const withdraw = async (session: Session, action: Action): Promise<void> => {
  const ana = await session.as('ana');
  const { mandate, agentId, tool } = action;
  const path =
    mandate.kind === 'approval'
      ? `/v1/requests/${mandate.requestId}/revoke`
      : `/v1/agents/${agentId}/tools/${tool.name}/revoke`;
  await ana.post(z.unknown(), path, { reason: 'Withdrawn between two attempts, as a trial.' });
};

export const authorisationWithdrawn = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const began = await before(trying, 'withdrawn');
  await session.door.shut();
  const { runId } = await session.begin('withdrawn');
  await actionOf(session, runId);
  const { action } = await firstAttemptEnded(session, runId);
  await withdraw(session, action);
  await session.door.open();
  const seen = await atRest(session, runId);
  const objects = await objectsNow(trying, seen.action, began);
  const { forwarded } = session.door.counts(began.mark);
  return judged({
    id: 'withdrawn',
    title: say(
      'The authorisation is withdrawn between two attempts',
      'L’autorisation est retirée entre deux tentatives',
    ),
    expected: say(
      'After the withdrawal no attempt is opened, nothing reaches the destination, the agent is told why.',
      'Après le retrait, aucune tentative n’est ouverte, rien n’atteint le destinataire, l’agent apprend pourquoi.',
    ),
    observed: [
      stateSentence(trying, seen),
      seen.action.told?.text ?? say('The agent was told nothing.', 'L’agent n’a rien appris.'),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    faults: [
      ...(forwarded === 0
        ? []
        : [
            say(
              'The destination was given the call after the withdrawal.',
              'Le destinataire a reçu l’appel après le retrait.',
            ),
          ]),
      ...(objects.count === undefined || objects.count === 0
        ? []
        : [
            say(
              `There are ${objects.count} objects at the destination.`,
              `Il y a ${objects.count} objets chez le destinataire.`,
            ),
          ]),
    ],
    exhibit: exhibitOf(trying, seen, objects, began),
    startedMs: began.startedMs,
  });
};
