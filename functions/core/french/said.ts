// The reasons that Reprise stores, as French shows them. They are stored once, in English, with what others said quoted in them;
// everybody who shows one in French asks here: sheets, API, page, command line. What is not ours is shown as it is.
// Owns: the forms of sentences that hold something, and the reading of a text sentence by sentence. Pure; the page uses it too.
import { demoSeesFr } from './said-demo.ts';
import { runsFr } from './said-runs.ts';
import { sentencesFr } from './said-sentences.ts';
import { trialsFr } from './said-trials.ts';

/** French spacing, in our own words only. */
const spaced = (text: string): string =>
  text.replaceAll(/ ([:;?!»])/g, '\u00a0$1').replaceAll('« ', '«\u00a0');
const t = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  parts.map((part, index) => `${spaced(part)}${values[index] ?? ''}`).join('');

const dispositions: Readonly<Record<string, string>> = {
  suspended: 'suspendue',
  abandoned: 'abandonnée',
  reissued: 'réémise',
  refused: 'refusée',
  stopped: 'arrêtée',
};

type Form = readonly [form: RegExp, french: (...held: string[]) => string];

/** Why no reply came, inside of a sentence. */
const brokeOff: readonly Form[] = [
  [/^the deadline passed$/, () => 'l’échéance est passée'],
  [/^it broke off \((.+)\)$/, (why) => t`coupure (${why})`],
  [/^it is larger than (\d+) bytes$/, (bytes) => `elle dépasse ${bytes} octets`],
  [/^its encoding is not known$/, () => 'son codage est inconnu'],
  [/^its encoding "(.*)" is not known$/, (name) => t`son codage « ${name} » est inconnu`],
  [
    /^it could not be decoded from (.+) within (\d+) bytes$/,
    (name, bytes) => `elle n’a pas pu être décodée de ${name} en ${bytes} octets`,
  ],
  [/^it says it is JSON and is not$/, () => 'elle se dit JSON et ne l’est pas'],
  [/^it is nested deeper than (\d+) levels$/, (most) => `elle a plus de ${most} niveaux`],
];

/** Sentences about an outcome, as the agent is told them. */
const tellings: readonly Form[] = [
  [/^Done: (.+) is confirmed\.$/, (what) => t`Fait : ${what} est confirmée.`],
  [/^Reference: (.+)\.$/, (reference) => t`Référence : ${reference}.`],
  [
    /^Accepted: the destination took (.+); that it was carried out is supposed, not proven\.$/,
    (what) => t`Acceptée : la destination a pris ${what} ; l’exécution est supposée, non prouvée.`,
  ],
  [/^Not done, with proof: (.+)\.$/, (what) => t`Non effectuée, avec preuve : ${what}.`],
  [
    /^Undetermined: it is not known whether (.+) was carried out\.$/,
    (what) => t`Indéterminée : on ne sait pas si ${what} a été exécutée.`,
  ],
  [
    /^Still in progress: (.+) has not ended\.$/,
    (what) => t`Encore en cours : ${what} n’est pas finie.`,
  ],
  [
    /^Sent, and no answer yet: (.+)\.$/,
    (what) => t`Envoyée, sans réponse pour l’instant : ${what}.`,
  ],
  [/^Not sent: (.+)\.$/, (what) => t`Non envoyée : ${what}.`],
  [/^Not read: (.+)\.$/, (what) => t`Non lu : ${what}.`],
  [
    /^Not done: (.+) was refused by a person\.$/,
    (what) => t`Non effectuée : ${what} a été refusée par une personne.`,
  ],
  [
    /^Not done: a person asks for changes to (.+) before it may run\.$/,
    (what) => t`Non effectuée : une personne demande des changements à ${what} avant l’envoi.`,
  ],
  [
    /^Not done: the approval of (.+) expired before anybody answered\.$/,
    (what) => t`Non effectuée : l’approbation de ${what} a expiré sans réponse.`,
  ],
  [
    /^Not done: the run was stopped before (.+) was sent\.$/,
    (what) => t`Non effectuée : l’exécution a été arrêtée avant l’envoi de ${what}.`,
  ],
  [
    /^Not done: the run ended before (.+) was sent\.$/,
    (what) => t`Non effectuée : l’exécution a pris fin avant l’envoi de ${what}.`,
  ],
  [
    /^Not done: (.+) may not run any more\.$/,
    (what) => t`Non effectuée : ${what} n’est plus permise.`,
  ],
  [
    /^Not done: the content of (.+) is not what was approved\.$/,
    (what) => t`Non effectuée : le contenu de ${what} n’est pas celui qui fut approuvé.`,
  ],
  [
    /^Not done: a person went on with a new message before (.+) was answered\.$/,
    (what) =>
      t`Non effectuée : une personne a continué par un nouveau message avant la réponse à ${what}.`,
  ],
];

/** A text as a whole. */
const wholes: readonly Form[] = [
  [
    /^Seven interruption trials in the environment "(.+)": (.+)\.$/,
    (where, came) =>
      t`Sept essais d’interruption dans l’environnement « ${where} » : ${trialsFr(came)}.`,
  ],
  [
    /^([\s\S]*) Seen at ([\s\S]*), (\d{4}-\d\d-\d\d(?:T\S+| [\d:]+ UTC))\.$/,
    (what, where, when) => t`${what} Vu : ${where}, ${when}.`,
  ],
  [
    /^([^;]+); archived (included|not included); rights: (.*); period: (.*); (complete|not complete)$/,
    (where, archived, rights, period, whole) =>
      t`${where} ; archives ${archived === 'included' ? 'comprises' : 'non comprises'} ; droits : ${frenchOf(rights)} ; période : ${frenchOf(period)} ; ${whole === 'complete' ? 'complète' : 'incomplète'}`,
  ],
  [
    /^Step limit: (\d+) of (\d+) model calls were used.*$/,
    (used, most) =>
      t`Limite d’étapes : ${used} appels du modèle sur ${most} ont servi, et il n’y a pas de réponse finale. « Continuer » lance une nouvelle exécution.`,
  ],
];

/** What begins so holds everything that follows. */
const beginnings: readonly Form[] = [
  [/^Not transmitted: ([\s\S]+)$/, (why) => t`Non transmise : ${frenchOf(why)}`],
  [
    /^The look-up failed (\d+) times: ([\s\S]+)$/,
    (times, why) => t`La recherche a échoué ${times} fois : ${frenchOf(why)}`,
  ],
  [
    /^The look-up cannot be made: ([\s\S]+)$/,
    (why) => t`La recherche ne peut pas être faite : ${frenchOf(why)}`,
  ],
  [
    /^([^.!?:]+) states, with evidence: ([\s\S]+)$/,
    (name, what) => t`${name} l’affirme, avec preuve : ${what}`,
  ],
  [/^([^.!?:]+) suspended it: ([\s\S]+)$/, (name, why) => t`${name} l’a suspendue : ${why}`],
  [/^([^.!?:]+) gave it up: ([\s\S]+)$/, (name, why) => t`${name} l’a abandonnée : ${why}`],
  [
    /^The model asks to be called again in (\S+) s; a run waits at most (\S+) s for it: ([\s\S]+)$/,
    (asked, most, why) =>
      t`Le modèle demande à être rappelé dans ${asked} s ; une exécution l’attend au plus ${most} s : ${frenchOf(why)}`,
  ],
  [
    /^The model put off (\d+) calls in a row: ([\s\S]+)$/,
    (calls, why) => t`Le modèle a remis ${calls} appels de suite : ${frenchOf(why)}`,
  ],
  [
    /^The model did not answer after (\d+) tries: ([\s\S]+)$/,
    (tries, why) => t`Le modèle n’a pas répondu après ${tries} essais : ${frenchOf(why)}`,
  ],
  [
    /^The model refused the call: ([\s\S]+)$/,
    (why) => t`Le modèle a refusé l’appel : ${frenchOf(why)}`,
  ],
  [
    /^A person issues it anew as (\S+), with the risk accepted: (.*)$/,
    (as, why) => t`Une personne la réémet en ${as}, le risque accepté : ${why}`,
  ],
  [
    /^The model provider (\S+) failed(?: with status (\d+))?(?:: ([\s\S]*?))?\. ((?:It is worth|Check the|Another try) [\s\S]*)$/,
    (name, status = '', said = '', advice = '') =>
      t`Le fournisseur de modèle ${name} a échoué${status === '' ? '' : ` avec le statut ${status}`}${said === '' ? '' : t` : ${said}`}. ${frenchOf(advice)}`,
  ],
];

/** One sentence. */
const forms: readonly Form[] = [
  [/^The destination answered (\d+)\.$/, (status) => `La destination a répondu ${status}.`],
  [
    /^The destination answered (\d+), which its contract takes for a refusal\.$/,
    (status) => `La destination a répondu ${status}, ce que son contrat tient pour un refus.`,
  ],
  [/^No reply: (.+)\.$/, (why) => t`Pas de réponse : ${inside(why)}.`],
  [
    /^Status (\d+) came, but no whole reply: (.+)\.$/,
    (status, why) => t`Le statut ${status} est venu, mais pas de réponse entière : ${inside(why)}.`,
  ],
  [/^Nothing was sent \((.+)\)\.$/, (why) => `Rien n’a été envoyé (${why}).`],
  [/^No connection to (.+) \((.+)\)\.$/, (host, why) => `Pas de connexion à ${host} (${why}).`],
  [/^No connection \((.+)\)\.$/, (why) => `Pas de connexion (${why}).`],
  [
    /^Calls to "(.+)" are not allowed\.$/,
    (host) => t`Les appels à « ${host} » ne sont pas permis.`,
  ],
  [
    /^Calls to "(.+)" are not allowed: the egress rules do not name this host\.$/,
    (host) =>
      t`Les appels à « ${host} » ne sont pas permis : les règles de sortie ne nomment pas cet hôte.`,
  ],
  [
    /^Name it at the start, (REPRISE_EGRESS='.+') on one machine(, egressHosts on AWS|; on AWS nothing private is reached)\.$/,
    (rules, aws) =>
      t`Nommez-le au démarrage, ${rules} sur une machine${aws?.startsWith(',') ? ', egressHosts sur AWS' : t` ; sur AWS, rien de privé n’est joint`}.`,
  ],
  [
    /^Only http and https may be called, not "(.+)"\.$/,
    (name) => t`Seuls http et https peuvent être appelés, pas « ${name} ».`,
  ],
  [
    /^The name "(.+)" could not be resolved \((.+)\)\.$/,
    (name, why) => t`Le nom « ${name} » n’a pas pu être résolu (${why}).`,
  ],
  [/^The name "(.+)" has no address\.$/, (name) => t`Le nom « ${name} » n’a pas d’adresse.`],
  [
    /^"(.+)" leads to an address that is not public \((.+)\)\.$/,
    (name, which) => t`« ${name} » mène à une adresse qui n’est pas publique (${which}).`,
  ],
  [
    /^The secret "(.+)" could not be read\.$/,
    (name) => t`Le secret « ${name} » n’a pas pu être lu.`,
  ],
  [/^There is no secret "(.+)"\.$/, (name) => t`Il n’y a pas de secret « ${name} ».`],
  [/^The secret "(.+)" has no value\.$/, (name) => t`Le secret « ${name} » n’a pas de valeur.`],
  [/^There is no value for (\{\{.+\}\})\.$/, (name) => `Il n’y a pas de valeur pour ${name}.`],
  [
    /^"(.*)" cannot be a part of the path\.$/,
    (value) => t`« ${value} » ne peut pas être une partie du chemin.`,
  ],
  [
    /^The value of the header "(.+)" holds characters that no header can\.$/,
    (name) =>
      t`La valeur de l’en-tête « ${name} » a des caractères qu’aucun en-tête ne peut avoir.`,
  ],
  [
    /^The reference cannot be put at "(.+)": "(.+)" is no object\.$/,
    (path, name) =>
      t`La référence ne peut pas être mise en « ${path} » : « ${name} » n’est pas un objet.`,
  ],
  [
    /^The reference cannot be put at "(.+)": "(.+)" has no element (\d+)\.$/,
    (path, name, index) =>
      t`La référence ne peut pas être mise en « ${path} » : « ${name} » n’a pas d’élément ${index}.`,
  ],
  [
    /^The MCP server was not ready to take a call(.*)\.$/,
    (status) => `Le serveur MCP n’était pas prêt à prendre un appel${status}.`,
  ],
  [/^Searched \((.+)\), not found\.$/, (period) => `Cherché (${frenchOf(period)}), non trouvé.`],
  [
    /^An object was found, but it differs in: (.+)\.$/,
    (names) => t`Un objet a été trouvé, mais il diffère par : ${names}.`,
  ],
  [/^The poll answered (\d+)\.$/, (status) => `Le suivi a répondu ${status}.`],
  [
    /^The look-up answered (\d+) in a form its contract does not know\.$/,
    (status) => `La recherche a répondu ${status} sous une forme que son contrat ne connaît pas.`,
  ],
  [
    /^(\d+) attempts? (?:were|was) made\.$/,
    (made) => (made === '1' ? '1 tentative a été faite.' : `${made} tentatives ont été faites.`),
  ],
  [/^A person has (\w+) it\.$/, (kind) => `Une personne l’a ${dispositions[kind] ?? kind}.`],
  [
    /^([^.!?:]+) went on with a new message\.$/,
    (name) => `${name} a continué par un nouveau message.`,
  ],
  [/^([^.!?:]+) decided\.$/, (name) => `${name} a décidé.`],
  [
    /^([^.!?:]+) decided about the action itself\.$/,
    (name) => `${name} a décidé de l’action elle-même.`,
  ],
  [
    /^\[Cut here: (\d+) of (\d+) characters are shown\. .*\]$/,
    (shown, all) => t`[Coupé ici : ${shown} caractères sur ${all} sont montrés.]`,
  ],
  ...runsFr,
  ...tellings,
];

const inForm = (text: string, known: readonly Form[]): string | undefined => {
  for (const [form, french] of known) {
    const found = form.exec(text);
    if (found !== null) return french(...found.slice(1));
  }
  return undefined;
};

const inside = (text: string): string => inForm(text, brokeOff) ?? text;

/** Texts longer than this are somebody's own, whatever they begin with. */
const charactersMax = 8_000;
/** Sentences that are stored and translated together. */
const togetherMax = 3;

/** What stands at the beginning of these sentences, and how many of them it takes. */
const next = (parts: readonly string[]): readonly [said: string, taken: number] => {
  for (let count = Math.min(togetherMax, parts.length); count > 0; count -= 1) {
    const text = parts.slice(0, count).join(' ');
    const sentence = sentencesFr[text] ?? demoSeesFr[text];
    if (sentence !== undefined) return [spaced(sentence), count];
  }
  const begun = inForm(parts.join(' '), beginnings);
  if (begun !== undefined) return [begun, parts.length];
  const [first = ''] = parts;
  return [inForm(first, forms) ?? first, 1];
};

const lineOf = (line: string): string => {
  let parts = line.split(/(?<=[.!?])\s+/);
  const said: string[] = [];
  while (parts.length > 0) {
    const [french, taken] = next(parts);
    said.push(french);
    parts = parts.slice(taken);
  }
  return said.join(' ');
};

/** The reason in French: whole, or sentence by sentence; what Reprise did not write itself stays as it is. */
export const frenchOf = (text: string): string =>
  text.length > charactersMax
    ? text
    : (inForm(text, wholes) ?? text.split('\n').map(lineOf).join('\n'));
