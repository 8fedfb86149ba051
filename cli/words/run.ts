// A run on a terminal: its state in words, the exit code that the state means, and what a person does next.
// Owns: those words. A run that waits for a person ends what follows it with exit code 3.
import { z } from 'zod';
import { ApiRefusal, type Client } from '../kit/client.ts';
import { type ExitCode, exitCodes, type Place } from '../kit/command.ts';
import type { Language } from '../kit/speech.ts';
import { cut, plain, prose } from '../kit/table.ts';
import { wordFor } from './terms.ts';

const Blocking = z.looseObject({ on: z.string(), requestId: z.string() });
type Blocking = z.infer<typeof Blocking>;

export const State = z.looseObject({
  status: z.string(),
  reason: z.string().optional(),
  detail: z.string().optional(),
  blocking: z.array(Blocking).optional(),
});
export const Run = z.looseObject({
  runId: z.string(),
  conversationId: z.string(),
  state: State,
  steps: z.looseObject({ taken: z.number(), limit: z.number() }),
  startedAt: z.string(),
  usage: z
    .looseObject({
      inputTokens: z.number(),
      outputTokens: z.number(),
      estimated: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }).optional(),
    })
    .optional(),
  executions: z
    .array(z.looseObject({ name: z.string(), trace: z.string().optional() }))
    .default([]),
});
export type Run = z.infer<typeof Run>;

/** What the model read and wrote; what no provider told is called an estimate. */
export const tokenWords = ({ usage }: Run, place: Place): string => {
  if (usage === undefined) return '';
  const { inputTokens, outputTokens, estimated } = usage;
  const all = place.say(
    `${inputTokens} read, ${outputTokens} written`,
    `${inputTokens} lus, ${outputTokens} écrits`,
  );
  if (estimated === undefined) return all;
  const told = `${estimated.inputTokens} + ${estimated.outputTokens}`;
  return place.say(`${all} (estimated: ${told})`, `${all} (estimés : ${told})`);
};

/** "waiting: approval", "finished: failed". */
export const runWords = (
  { status, reason, blocking }: Run['state'],
  language: Language,
): string => {
  const spoken = language === 'fr' ? ' : ' : ': ';
  const reasons = reason === undefined ? [] : [wordFor('runEnd', reason, language)];
  const waits = (blocking ?? []).map(({ on }) => wordFor('waitsFor', on, language));
  return [wordFor('runStatus', status, language), ...reasons, waits.join(', ')]
    .filter((word) => word !== '')
    .join(spoken);
};

export const codeFor = ({ state }: Run): ExitCode => {
  if (state.status === 'waiting') return exitCodes.needsPerson;
  // No whole answer is no success: a script must not go on as after one.
  const failed = ['failed', 'cut_off', 'withheld', 'no_answer'].includes(state.reason ?? '');
  return state.status === 'finished' && failed ? exitCodes.failed : exitCodes.ok;
};

const Asked = z.looseObject({
  request: z.looseObject({
    actionId: z.string().optional(),
    message: z.string().optional(),
    reason: z.string().optional(),
    because: z.string().optional(),
    skill: z.string().optional(),
  }),
  action: z
    .looseObject({ tool: z.looseObject({ name: z.string() }), arguments: z.unknown().optional() })
    .optional(),
});
type Asked = z.infer<typeof Asked>;

/** A call in short: its tool and the beginning of its arguments. */
export const callWords = (
  action: { readonly tool: { readonly name: string }; readonly arguments?: unknown },
  most: number,
): string => cut(`${action.tool.name} ${JSON.stringify(action.arguments ?? {})}`, most);

/** What is asked, whole; undefined where this person may not read it. */
const askedFor = async (api: Client, requestId: string): Promise<Asked | undefined> => {
  try {
    return await api.get(Asked, `/v1/requests/${requestId}`);
  } catch (error) {
    if (error instanceof ApiRefusal) return undefined;
    throw error;
  }
};

const waitLines = ({ on, requestId }: Blocking, asked: Asked | undefined, place: Place): string => {
  const { request, action } = asked ?? {};
  const call = action === undefined ? '' : callWords(action, 300);
  const because = plain(request?.because ?? '');
  const read = `reprise requests show ${requestId}`;
  switch (on) {
    case 'approval':
      return place.say(
        `Waits for an approval: ${call}\n  Next: ${read}\n  then: reprise approve ${requestId} --digest DIGEST, or reprise refuse ${requestId} --reason "…"`,
        `Une approbation est attendue : ${call}\n  Ensuite : ${read}\n  puis : reprise approve ${requestId} --digest EMPREINTE, ou reprise refuse ${requestId} --reason "…"`,
      );
    case 'question':
      return place.say(
        `Waits for an answer: ${prose(request?.message ?? '')}\n  Next: ${read}\n  then: reprise answer ${requestId} --field NAME=VALUE`,
        `Une réponse est attendue : ${prose(request?.message ?? '')}\n  Ensuite : ${read}\n  puis : reprise answer ${requestId} --field NOM=VALEUR`,
      );
    case 'skill':
      return place.say(
        `Asks for the skill ${plain(request?.skill ?? '')}: ${prose(request?.reason ?? '')}\n  Next: reprise grant ${requestId}, or reprise refuse ${requestId} --reason "…"`,
        `La compétence ${plain(request?.skill ?? '')} est demandée : ${prose(request?.reason ?? '')}\n  Ensuite : reprise grant ${requestId}, ou reprise refuse ${requestId} --reason "…"`,
      );
    default:
      return place.say(
        `Waits for a person to settle ${call}: ${because}\n  Next: reprise desk show ${request?.actionId ?? 'ACTION'}`,
        `Une personne doit régler ${call} : ${because}\n  Ensuite : reprise desk show ${request?.actionId ?? 'ACTION'}`,
      );
  }
};

/** What a person does next about a waiting run, one paragraph for each thing it waits for; undefined: nothing. */
export const nextWords = async (
  api: Client,
  run: Run,
  place: Place,
): Promise<string | undefined> => {
  if (run.state.status === 'finished') return undefined;
  const lines = await Promise.all(
    (run.state.blocking ?? []).map(async (blocking) =>
      waitLines(blocking, await askedFor(api, blocking.requestId), place),
    ),
  );
  return lines.length === 0 ? undefined : lines.join('\n');
};
