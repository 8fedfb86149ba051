// A contract's look-up held against its destination: that it finds what was just made, in time, that it says "absent" of what
// was not, and that it covers the system the tool writes to. Owns: those checks.
import type { LookedUp } from '../../functions/core/recover/look-up.ts';
import { isRefused, replyText } from './content.ts';
import { nobody } from './objects.ts';
import { judged, type Trying, undecidable } from './part.ts';
import type { Part } from './report.ts';
import { NotInTime, until } from './wait.ts';

/** Given beyond the settle time, so that a lag can be measured and told. */
const graceMs = (settleMs: number): number => Math.max(10_000, settleMs * 3);

const lookedFor = async ({ session }: Trying, probe: LookedUp, settleMs: number) => {
  const readings: string[] = [];
  const hit = await until('the look-up found it', settleMs + graceMs(settleMs), async () => {
    const reading = await session.destination.lookUp(probe);
    if (reading !== undefined && readings.at(-1) !== reading.because)
      readings.push(reading.because);
    return reading?.result === 'hit' || reading?.result === 'natural_hit' ? true : undefined;
  }).catch((cause: unknown) => {
    if (cause instanceof NotInTime) return false;
    throw cause;
  });
  return { hit, readings };
};

const findsTitle = ({ say }: Trying): string =>
  say('The look-up finds what was just made', 'La recherche trouve ce qui vient d’être fait');

/** Sends one call of its own, straight to the destination, and looks for it at once: only so can a lag be seen. */
export const lookUpFinds = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const { lookUp, destination } = session.contract;
  const expected = say(
    `Within the settle time (${lookUp?.settleMs ?? 0} ms), by what the contract declares, and the compared arguments match.`,
    `Dans le délai déclaré (${lookUp?.settleMs ?? 0} ms), par ce que le contrat déclare, et les arguments comparés correspondent.`,
  );
  const about = { id: 'look_up_finds', title: findsTitle(trying), expected };
  if (lookUp === undefined)
    return undecidable(
      about,
      say('The contract declares no look-up.', 'Le contrat ne déclare aucune recherche.'),
    );
  const startedMs = performance.now();
  const probe = nobody(session.argumentsOf('probe'), destination);
  const report = await session.destination.send(
    session.subject.tool,
    probe.arguments,
    probe.actionId,
  );
  if (report.kind !== 'reply' || isRefused(report))
    return undecidable(
      about,
      say(`Nothing was made: ${replyText(report)}`, `Rien n’a été fait : ${replyText(report)}`),
    );
  const answeredMs = performance.now();
  const { hit, readings } = await lookedFor(trying, probe, lookUp.settleMs);
  const lagMs = Math.round(performance.now() - answeredMs);
  const never = say(
    `The look-up does not find what was just made: ${readings.at(-1)}`,
    `La recherche ne trouve pas ce qui vient d’être fait : ${readings.at(-1)}`,
  );
  const late = say(
    `The look-up found it after ${lagMs} ms; the contract says that ${lookUp.settleMs} ms suffice. An empty look-up in between would have passed for proof.`,
    `La recherche l’a trouvé après ${lagMs} ms ; le contrat dit que ${lookUp.settleMs} ms suffisent. Entre-temps, une recherche vide aurait passé pour une preuve.`,
  );
  // One that found it at the first look has no lag, however long the look itself took.
  const lags = readings.length > 1 && lagMs > lookUp.settleMs;
  const found = say(`Found after ${lagMs} ms.`, `Trouvé après ${lagMs} ms.`);
  return judged({
    ...about,
    observed: [replyText(report), ...readings, ...(hit ? [found] : [])],
    faults: hit ? (lags ? [late] : []) : [never],
    startedMs,
  });
};

export const lookUpMisses = async (trying: Trying): Promise<Part> => {
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
    return undecidable(
      about,
      say(
        'The contract declares no look-up by reference.',
        'Le contrat ne déclare aucune recherche par référence.',
      ),
    );
  const startedMs = performance.now();
  const never = nobody(session.argumentsOf('control'), destination);
  const reading = await session.destination.lookUp(never);
  return judged({
    ...about,
    observed: [`${never.actionId}: ${reading?.because}`],
    faults:
      reading?.result === 'miss'
        ? []
        : [
            say(
              `The look-up of a reference that nobody ever used came to "${reading?.result}", not to "miss".`,
              `La recherche d’une référence jamais employée donne « ${reading?.result} », et non « miss ».`,
            ),
          ],
    startedMs,
  });
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
  if (lookUp === undefined)
    return undecidable(
      about,
      say('The contract declares no look-up.', 'Le contrat ne déclare aucune recherche.'),
    );
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
