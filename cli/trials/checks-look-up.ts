// A contract's look-up held against its destination: that it finds what was just made, in time and each time, that it says
// "absent" of what was not, also of what looks like it, that it still finds what is no longer new, and that it covers the
// system the tool writes to. Owns: those checks.
import { ActionId } from '../../functions/core/base/ids.ts';
import type { LookedUp } from '../../functions/core/recover/look-up.ts';
import { nobody } from './objects.ts';
import { doesNotApply, judged, type Trying } from './part.ts';
import { probeOf, sendFirst } from './repeat.ts';
import type { Part } from './report/report.ts';
import { NotInTime, until } from './wait.ts';

/** Given beyond the settle time, so that a lag can be measured and told. */
const graceMs = (settleMs: number): number => Math.max(10_000, settleMs * 3);

const isHit = (result: string | undefined): boolean => result === 'hit' || result === 'natural_hit';

const lookedFor = async ({ session }: Trying, probe: LookedUp, settleMs: number) => {
  const readings: string[] = [];
  const hit = await until('the look-up found it', settleMs + graceMs(settleMs), async () => {
    const reading = await session.destination.lookUp(probe);
    if (reading !== undefined && readings.at(-1) !== reading.because)
      readings.push(reading.because);
    return isHit(reading?.result) ? true : undefined;
  }).catch((cause: unknown) => {
    if (cause instanceof NotInTime) return false;
    throw cause;
  });
  return { hit, readings };
};

const findsTitle = ({ say }: Trying): string =>
  say('The look-up finds what was just made', 'La recherche trouve ce qui vient d’être fait');

const noLookUp = ({ say }: Trying): string =>
  say('The contract declares no look-up.', 'Le contrat ne déclare aucune recherche.');

/** One that was found is looked for again: copies of a store that lag behind each other answer in turn. */
const looksAgain = 4;

const staysFound = async ({ session, say }: Trying, probe: LookedUp): Promise<string[]> => {
  for (let look = 0; look < looksAgain; look += 1) {
    const reading = await session.destination.lookUp(probe);
    if (!isHit(reading?.result))
      return [
        say(
          `The look-up found it, and then no longer: ${reading?.because}`,
          `La recherche l’a trouvé, puis ne le trouve plus : ${reading?.because}`,
        ),
      ];
  }
  return [];
};

const faultsOf = async (
  trying: Trying,
  probe: LookedUp,
  settleMs: number,
): Promise<{ readonly observed: string[]; readonly faults: string[] }> => {
  const { say } = trying;
  const answeredMs = performance.now();
  const { hit, readings } = await lookedFor(trying, probe, settleMs);
  const lagMs = Math.round(performance.now() - answeredMs);
  if (!hit)
    return {
      observed: readings,
      faults: [
        say(
          `The look-up does not find what was just made: ${readings.at(-1)}`,
          `La recherche ne trouve pas ce qui vient d’être fait : ${readings.at(-1)}`,
        ),
      ],
    };
  const found = say(`Found after ${lagMs} ms.`, `Trouvé après ${lagMs} ms.`);
  const late = say(
    `The look-up found it after ${lagMs} ms; the contract says that ${settleMs} ms suffice. An empty look-up in between would have passed for proof.`,
    `La recherche l’a trouvé après ${lagMs} ms ; le contrat dit que ${settleMs} ms suffisent. Entre-temps, une recherche vide aurait passé pour une preuve.`,
  );
  // One that found it at the first look has no lag, however long the look itself took.
  const lags = readings.length > 1 && lagMs > settleMs;
  return {
    observed: [...readings, found],
    faults: lags ? [late] : await staysFound(trying, probe),
  };
};

const probes = ['probe', 'probe-2', 'probe-3'] as const;

/** Sends calls of its own, straight to the destination, and looks for each at once: only so can a lag be seen. */
export const lookUpFinds = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const { lookUp, progress } = session.contract;
  const settleMs = (lookUp?.settleMs ?? 0) + (progress?.untilMs ?? 0);
  const about = {
    id: 'look_up_finds',
    title: findsTitle(trying),
    expected: say(
      `Within the settle time (${settleMs} ms), by what the contract declares, and the compared arguments match; three times out of three.`,
      `Dans le délai déclaré (${settleMs} ms), par ce que le contrat déclare, et les arguments comparés correspondent ; trois fois sur trois.`,
    ),
  };
  if (lookUp === undefined) return doesNotApply(about, noLookUp(trying));
  const startedMs = performance.now();
  const observed: string[] = [];
  const faults: string[] = [];
  for (const scene of probes) {
    const probe = await probeOf(trying, scene);
    const answer = await sendFirst(trying, probe);
    const seen = await faultsOf(trying, probe.action, settleMs);
    observed.push(answer.text, ...seen.observed);
    faults.push(...seen.faults);
    if (faults.length > 0) break;
  }
  return judged({ ...about, observed, faults, startedMs });
};

/** What was made first, looked for when much else has been made since: a search may show only a page, or only what is new. */
export const lookUpStillFinds = async (
  trying: Trying,
  first: LookedUp | undefined,
): Promise<Part> => {
  const { session, say, sent } = trying;
  const about = {
    id: 'look_up_still_finds',
    title: say(
      'The look-up still finds what was made at the beginning',
      'La recherche trouve encore ce qui a été fait au début',
    ),
    expected: say(
      'Found, though much was made since.',
      'Trouvé, bien que beaucoup ait été fait depuis.',
    ),
  };
  if (session.contract.lookUp === undefined) return doesNotApply(about, noLookUp(trying));
  if (first === undefined)
    return doesNotApply(about, say('Nothing was made.', 'Rien n’a été fait.'));
  const startedMs = performance.now();
  const reading = await session.destination.lookUp(first);
  const since = say(
    `${sent.size} calls were sent straight to the destination since, beside those of the product.`,
    `${sent.size} appels ont été envoyés directement au destinataire depuis, outre ceux du produit.`,
  );
  const gone = say(
    `The look-up no longer finds it: ${reading?.because}`,
    `La recherche ne le trouve plus : ${reading?.because}`,
  );
  return judged({
    ...about,
    observed: [`${first.actionId}: ${reading?.because}`, since],
    faults: isHit(reading?.result) ? [] : [gone],
    startedMs,
  });
};

/** A reference that differs from one that is there in its last character. */
const like = (action: LookedUp): LookedUp => {
  const last = action.actionId.endsWith('0') ? '1' : '0';
  return { ...action, actionId: ActionId.parse(`${action.actionId.slice(0, -1)}${last}`) };
};

/** Of a new reference with the content of one that is there, and of one that looks like a used one. */
export const lookUpMisses = async (trying: Trying, made: LookedUp | undefined): Promise<Part> => {
  const { session, say } = trying;
  const { lookUp, destination } = session.contract;
  const about = {
    id: 'look_up_misses',
    title: say(
      'The look-up says "absent" of what was never made',
      'La recherche dit « absent » de ce qui n’a jamais été fait',
    ),
    expected: say(
      'The answer has the declared form of "absent".',
      'La réponse a la forme déclarée pour « absent ».',
    ),
  };
  if (lookUp?.by !== 'reference')
    return doesNotApply(
      about,
      say(
        'The contract declares no look-up by reference.',
        'Le contrat ne déclare aucune recherche par référence.',
      ),
    );
  const startedMs = performance.now();
  const never = nobody(session.argumentsOf('control'), destination);
  const asked = [never, ...(made === undefined ? [] : [like(made)])];
  const observed: string[] = [];
  const faults: string[] = [];
  for (const one of asked) {
    const reading = await session.destination.lookUp(one);
    observed.push(`${one.actionId}: ${reading?.because}`);
    if (reading?.result !== 'miss')
      faults.push(
        say(
          `The look-up of a reference that nobody ever used came to "${reading?.result}", not to "miss".`,
          `La recherche d’une référence jamais employée donne « ${reading?.result} », et non « miss ».`,
        ),
      );
  }
  return judged({ ...about, observed, faults, startedMs });
};

export const sameSystem = (trying: Trying): Part => {
  const { session, say } = trying;
  const { lookUp, destination } = session.contract;
  const about = {
    id: 'same_system',
    title: say(
      'The look-up covers the account and environment that the tool writes to',
      'La recherche couvre le compte et l’environnement où l’outil écrit',
    ),
    expected: `${destination.account} / ${destination.environment}`,
  };
  if (lookUp === undefined) return doesNotApply(about, noLookUp(trying));
  const { coverage } = lookUp;
  const same =
    coverage.account === destination.account && coverage.environment === destination.environment;
  return judged({
    ...about,
    observed: [`${coverage.account} / ${coverage.environment}`],
    faults: same
      ? []
      : [
          say(
            'The look-up covers another account or environment; what it finds or misses there proves nothing.',
            'La recherche couvre un autre compte ou environnement ; ce qu’elle y trouve ou non ne prouve rien.',
          ),
        ],
    startedMs: performance.now(),
  });
};
