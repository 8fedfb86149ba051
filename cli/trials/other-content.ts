// Other content under a key that the destination knows. Owns: that trial. Each argument is changed by itself, and only a change
// that the destination takes under a key of its own tells anything: an error that it would have given anyway is no comparison.
import type { JsonObject } from '../../functions/core/base/json.ts';
import type { LookedUp } from '../../functions/core/recover/look-up.ts';
import { type Answer, differingReference } from './answer.ts';
import type { Found } from './objects.ts';
import {
  CouldNotRun,
  countSentence,
  doesNotApply,
  judged,
  notRun,
  type Trying,
  uncounted,
} from './part.ts';
import { countOnce, type Probe, probeOf, sendAgain, sendFirst } from './repeat.ts';
import type { Part } from './report/report.ts';
import { withUnique } from './subject.ts';
import { unchangedIn, type Variant, variantsOf } from './variants.ts';

/** Each costs two calls. */
const variantsMax = 8;

interface Tried {
  readonly observed: readonly string[];
  readonly faults: readonly string[];
  readonly unseen: readonly string[];
  /** Whether the destination takes such content under a key of its own. */
  readonly taken: boolean;
}

const faultsIn = (
  { session, say }: Trying,
  { path }: Variant,
  first: Answer,
  second: Answer,
): readonly string[] => {
  const { key } = session.contract;
  if (key.kind !== 'key' || second.kind !== 'done') {
    const unread = second.kind === 'running' || (second.kind === 'unknown' && !second.error);
    return unread && key.kind === 'key' && key.comparesParameters
      ? [
          say(
            `No declared pattern reads the answer to a changed "${path}" as a refusal: ${second.text}`,
            `Aucun motif déclaré ne lit comme un refus la réponse à « ${path} » modifié : ${second.text}`,
          ),
        ]
      : [];
  }
  const references = {
    first: { reference: first.kind === 'done' ? first.reference : undefined, body: undefined },
    second: { reference: second.reference, body: undefined },
  };
  const differs = differingReference(references.first, references.second);
  if (differs !== undefined)
    return [
      say(
        `With "${path}" changed, the same key made another object (${differs}).`,
        `Avec « ${path} » modifié, la même clé a fait un autre objet (${differs}).`,
      ),
    ];
  return key.comparesParameters
    ? [
        say(
          `The contract says that the destination compares parameters; it took a changed "${path}" under the same key.`,
          `Le contrat dit que le destinataire compare les paramètres ; il a accepté « ${path} » modifié sous la même clé.`,
        ),
      ]
    : [];
};

/** New objects under the key, asked for by the first content and by the changed one. */
const countBoth = async (
  trying: Trying,
  original: Probe,
  changed: Probe,
): Promise<{ readonly more: boolean; readonly found: Found }> => {
  const first = await countOnce(trying, original, 1);
  const other = await countOnce(trying, changed, 0);
  const more = (first.count ?? 0) > 1 || (first.count !== undefined && (other.count ?? 0) > 0);
  return { more, found: first.count === undefined ? other : first };
};

const tryVariant = async (
  trying: Trying,
  original: Probe,
  first: Answer,
  variant: Variant,
  unique: string,
): Promise<Tried> => {
  const { session, say } = trying;
  const args: JsonObject = withUnique(variant.arguments, unique);
  const alone = await probeOf(trying, args);
  try {
    await sendFirst(trying, alone);
  } catch (cause) {
    if (!(cause instanceof CouldNotRun)) throw cause;
    const why = say(
      `A changed "${variant.path}" is not taken under a key of its own either, so that its refusal would say nothing: ${cause.message}`,
      `« ${variant.path} » modifié n’est pas accepté non plus sous une clé neuve ; son refus ne dirait rien : ${cause.message}`,
    );
    return { observed: [why], faults: [], unseen: [], taken: false };
  }
  await countOnce(trying, alone, 0);
  const underKey: LookedUp = { ...original.action, arguments: args };
  const changed: Probe = { action: underKey, there: await session.destination.find(underKey) };
  const second = await sendAgain(trying, underKey);
  const { more, found } = await countBoth(trying, original, changed);
  return {
    observed: [`${variant.path}: ${second.text}`, countSentence(trying, found)],
    faults: [
      ...faultsIn(trying, variant, first, second),
      ...(more
        ? [
            say(
              `With "${variant.path}" changed, the same key made a second object.`,
              `Avec « ${variant.path} » modifié, la même clé a fait un second objet.`,
            ),
          ]
        : []),
    ],
    unseen: found.count === undefined ? [uncounted(trying, found)] : [],
    taken: true,
  };
};

const aboutIt = ({ say }: Trying) => ({
  id: 'content-same-key',
  title: say(
    'Other content is sent under a key that the destination knows',
    'Un autre contenu est envoyé sous une clé que le destinataire connaît',
  ),
  expected: say(
    'Whatever argument differs: the destination makes no second object of it, and refuses it if the contract says that it compares parameters.',
    'Quel que soit l’argument qui diffère : le destinataire n’en fait pas un second objet, et refuse si le contrat dit qu’il compare les paramètres.',
  ),
});

/** Which arguments were compared, and which nothing could change. */
export interface OtherContent {
  readonly part: Part;
  readonly notCompared: readonly string[];
}

export const otherContentSameKey = async (trying: Trying): Promise<OtherContent> => {
  const { session, say } = trying;
  const { key } = session.contract;
  const about = aboutIt(trying);
  if (key.kind !== 'key') {
    const none = say('The contract declares no key.', 'Le contrat ne déclare aucune clé.');
    return { part: doesNotApply(about, none), notCompared: [] };
  }
  const { arguments: sample, changed, tool } = session.subject;
  const variants = variantsOf(sample, changed, tool, variantsMax);
  const startedMs = performance.now();
  const unique = session.uniqueOf('other-content');
  const original = await probeOf(trying, withUnique(sample, unique));
  const first = await sendFirst(trying, original);
  const tried: Tried[] = [];
  const done: Variant[] = [];
  for (const variant of variants) {
    const one = await tryVariant(trying, original, first, variant, unique);
    tried.push(one);
    if (one.taken) done.push(variant);
    if (one.faults.length > 0) break;
  }
  const observed = [first.text, ...tried.flatMap((one) => one.observed)];
  if (done.length === 0) {
    const why = say(
      'No change of the sample arguments is one that the destination takes. Give --changed-arguments FILE, or "changedArguments" in the file.',
      'Aucune modification des arguments d’exemple n’est acceptée par le destinataire. Donnez --changed-arguments FICHIER, ou « changedArguments » dans le fichier.',
    );
    return { part: { ...notRun(about, why), observed }, notCompared: Object.keys(sample) };
  }
  const faults = tried.flatMap((one) => one.faults);
  const unseen = [...new Set(tried.flatMap((one) => one.unseen))];
  return {
    part: judged({ ...about, observed, faults, unseen, startedMs }),
    notCompared: key.comparesParameters ? unchangedIn(sample, done) : [],
  };
};
