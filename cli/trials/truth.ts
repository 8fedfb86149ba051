// Whether the destination's answers say what it did. Owns: those checks: an answer that the contract takes for proof that
// nothing was done, or that it was, is held against what is at the destination; and "there is one already" against whose it is.
// Laws: L8 (what is somebody else's is not ours).
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../functions/core/base/json.ts';
import type { Answer } from './answer.ts';
import { doesNotApply, judged, notRun, since, type Trying, uncounted } from './part.ts';
import { type Probe, probeOf, sendFirst, sendOnce, settleMsOf } from './repeat.ts';
import type { Part } from './report/report.ts';
import { withUnique } from './subject.ts';

interface Case {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Arguments that were made wrong: a count that asks by them says nothing. */
  readonly wrong: readonly string[];
}

const casesMax = 10;
const saidMax = 6;

const wrongFor = (value: Json): Json => {
  if (typeof value === 'string') return '';
  return typeof value === 'number' ? -1 : null;
};

/** What somebody says is refused, then each argument left out, then each made wrong. */
const casesOf = ({ session }: Trying): readonly Case[] => {
  const { arguments: sample, refusedArguments } = session.subject;
  const unique = session.uniqueOf('refusals');
  const filled = withUnique(sample, unique);
  const names = Object.keys(filled);
  const said = refusedArguments.slice(0, saidMax).map((args, index) => ({
    name: `refusedArguments.${index}`,
    arguments: withUnique(args, unique),
    wrong: [],
  }));
  const left = names.map((name) => ({
    name: `-${name}`,
    arguments: Object.fromEntries(Object.entries(filled).filter(([other]) => other !== name)),
    wrong: [name],
  }));
  const wrong = names.map((name) => ({
    name,
    arguments: { ...filled, [name]: wrongFor(filled[name] ?? null) },
    wrong: [name],
  }));
  return [...said, ...left, ...wrong].slice(0, casesMax);
};

/** Whether what counts asks for the reference, or at least for nothing that was made wrong. */
const countsFor = ({ session }: Trying, { wrong }: Case): boolean => {
  const { exhibit } = session.subject;
  const { lookUp } = session.contract;
  const asked =
    exhibit === undefined
      ? { ...lookUp?.arguments, ...(lookUp?.by === 'natural' ? lookUp.compare : {}) }
      : { ...exhibit.arguments, ...exhibit.match };
  const text = JSON.stringify(asked);
  if (text.includes('$reference') || (exhibit === undefined && lookUp?.by === 'reference'))
    return true;
  return (
    wrong.length > 0 &&
    wrong.every((name) => !text.includes(`"$args.${name}`) && !text.includes(`"${name}":`))
  );
};

interface Came {
  readonly name: string;
  readonly probe: Probe;
  readonly answer: Answer;
}

const claimsNothing = ({ kind }: Answer): boolean => kind === 'refused' || kind === 'not_now';

/** What is there for each after everything had time to show, against what its answer said. */
const against = async (trying: Trying, came: readonly Came[]) => {
  const { session, say } = trying;
  await pause(settleMsOf(trying));
  const faults: string[] = [];
  const unseen: string[] = [];
  for (const { name, probe, answer } of came) {
    const claimed = claimsNothing(answer) || (answer.kind === 'done' && answer.proves);
    if (!claimed) continue;
    const found = since(await session.destination.find(probe.action), probe.there);
    if (found.count === undefined) unseen.push(uncounted(trying, found));
    if (claimsNothing(answer) && (found.count ?? 0) > 0)
      faults.push(
        say(
          `The contract takes this answer for proof that nothing was done, and ${found.count} object(s) are there (${name}): ${answer.text}`,
          `Le contrat tient cette réponse pour la preuve que rien n’a été fait, et ${found.count} objet(s) y sont (${name}) : ${answer.text}`,
        ),
      );
    if (answer.kind === 'done' && found.count === 0)
      faults.push(
        say(
          `The contract takes this answer for a success, and nothing is there (${name}): ${answer.text}`,
          `Le contrat tient cette réponse pour un succès, et il n’y a rien (${name}) : ${answer.text}`,
        ),
      );
  }
  return { faults, unseen: [...new Set(unseen)] };
};

/** What was seen of the answers that a contract declares. */
export interface Told {
  readonly part: Part;
  readonly refusals: number;
}

const limit = (part: Part): Part => ({ ...part, limit: true });

export const answersTrue = async (trying: Trying): Promise<Told> => {
  const { session, say } = trying;
  const about = {
    id: 'answers_true',
    title: say(
      'A refusal did nothing, and what is answered as a success is there',
      'Un refus n’a rien fait, et ce qui est répondu comme un succès y est',
    ),
    expected: say(
      'Of wrong and missing arguments: where the answer proves by contract that nothing was done, nothing is there; where it proves the effect, it is there.',
      'Pour des arguments faux ou absents : là où la réponse prouve par contrat que rien n’a été fait, il n’y a rien ; là où elle prouve l’effet, il y est.',
    ),
  };
  const { disproof, preset } = session.contract;
  const startedMs = performance.now();
  const came: Came[] = [];
  for (const one of casesOf(trying)) {
    if (!countsFor(trying, one) && one.wrong.length > 0) continue;
    const probe = await probeOf(trying, one.arguments);
    came.push({ name: one.name, probe, answer: await sendOnce(trying, probe.action) });
  }
  const refusals = came.filter(({ answer }) => claimsNothing(answer)).length;
  const observed = came.map(({ name, answer }) => `${name}: ${answer.text}`);
  const { faults, unseen } = await against(trying, came);
  const part = judged({ ...about, observed, faults, unseen, startedMs });
  if (part.verdict === 'not_run') return { part: limit(part), refusals: 0 };
  const declares = disproof.length > 0 || preset === 'http';
  if (part.verdict === 'fail' || refusals > 0 || !declares) return { part, refusals };
  const why = say(
    'None of these calls was answered by what the contract takes for proof that nothing was done. Give calls that are refused: "refusedArguments" in the file.',
    'Aucun de ces appels n’a reçu ce que le contrat tient pour la preuve que rien n’a été fait. Donnez des appels qui sont refusés : « refusedArguments » dans le fichier.',
  );
  return { part: limit({ ...notRun(about, why), observed }), refusals };
};

const atOnce = 12;

/** So many at once that a destination with a limit may say "not now". */
export const notNowTrue = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const about = {
    id: 'not_now_true',
    title: say('"Not now" did nothing', '« Pas maintenant » n’a rien fait'),
    expected: say(
      'Of calls that are answered with the declared "not now", nothing is there.',
      'Des appels auxquels il est répondu par le « pas maintenant » déclaré, il n’y a rien.',
    ),
  };
  if (session.contract.rateLimit === undefined)
    return doesNotApply(
      about,
      say('The contract declares no rate limit.', 'Le contrat ne déclare aucune limite de débit.'),
    );
  const startedMs = performance.now();
  const probes: Probe[] = [];
  for (let index = 0; index < atOnce; index += 1)
    probes.push(
      await probeOf(
        trying,
        withUnique(session.subject.arguments, `${session.uniqueOf('busy')} ${index}`),
      ),
    );
  const came = await Promise.all(
    probes.map(async (probe, index) => ({
      name: String(index),
      probe,
      answer: await sendOnce(trying, probe.action),
    })),
  );
  const busy = came.filter(({ answer }) => answer.kind === 'not_now');
  const observed = [...new Set(came.map(({ answer }) => answer.text))].slice(0, 20);
  if (busy.length === 0)
    return limit({
      ...notRun(
        about,
        say(
          `The destination never said it, also not to ${atOnce} calls at once.`,
          `Le destinataire ne l’a jamais dit, même à ${atOnce} appels simultanés.`,
        ),
      ),
      observed,
    });
  const { faults, unseen } = await against(trying, busy);
  return judged({ ...about, observed, faults, unseen, startedMs });
};

/** The same content under another key: "there is one already" speaks of somebody else's, and must not be taken for ours. */
export const existsIsNotOurs = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const about = {
    id: 'exists_is_not_ours',
    title: say(
      'What exists already, and is another’s, is not taken for ours',
      'Ce qui existe déjà, et est à un autre, n’est pas tenu pour nôtre',
    ),
    expected: say(
      'The look-up by our reference does not find the other’s object.',
      'La recherche par notre référence ne trouve pas l’objet de l’autre.',
    ),
  };
  if (session.contract.alreadyExists === undefined)
    return doesNotApply(
      about,
      say(
        'The contract declares no answer for "there is one already".',
        'Le contrat ne déclare aucune réponse pour « il y en a déjà un ».',
      ),
    );
  const startedMs = performance.now();
  const others = await probeOf(trying, 'other-key');
  const first = await sendFirst(trying, others);
  const ours = await probeOf(trying, 'other-key');
  const second = await sendOnce(trying, ours.action);
  const observed = [first.text, second.text];
  if (second.kind !== 'exists') return judged({ ...about, observed, faults: [], startedMs });
  await pause(settleMsOf(trying));
  const reading = await session.destination.lookUp(ours.action);
  const taken = say(
    `The look-up finds the other’s object by our reference: ${reading?.because}`,
    `La recherche trouve l’objet de l’autre par notre référence : ${reading?.because}`,
  );
  return judged({
    ...about,
    observed: [...observed, reading?.because ?? ''],
    faults: reading?.result === 'hit' ? [taken] : [],
    startedMs,
  });
};
