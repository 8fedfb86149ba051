// La fiche de reprise en français. Owns: its sentences, and French spacing.
// Tested in test/functions/api/desk/sheet.test.ts.
import { frenchOf } from '../french/said.ts';
import { demoVerifiedFr } from '../french/said-demo.ts';
import type { SheetWords } from './says.ts';
import { termsFr, whoIn } from './terms.ts';

const {
  changes,
  decisions,
  dispositions,
  effects,
  ends,
  kinds,
  milestones,
  repeats,
  runs,
  says,
  searches,
  sources,
} = termsFr;
const who = whoIn(termsFr);

/** French spacing, in our own words only: what others wrote stays as it is. */
const spaced = (text: string): string =>
  text.replaceAll(/ ([:;!?»])/g, '\u00a0$1').replaceAll('« ', '«\u00a0');
const t = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  parts.map((part, index) => `${spaced(part)}${values[index] ?? ''}`).join('');

export const fr: SheetWords = {
  title: (tool, actionId) => t`Fiche de reprise : ${tool}, ${actionId}`,
  fields: {
    intent: 'Intention approuvée',
    identity: 'Identité stable',
    destination: 'Destination',
    lastFact: 'Dernier fait connu',
    evidence: 'Preuve de l’effet',
    repetition: 'Contrat de répétition',
    mandate: 'Mandat actuel',
    decision: 'Décision et responsable',
  },
  is: { observed: 'observé', supposed: 'supposé', mixed: 'en partie observé, en partie supposé' },
  effects,
  dispositions,
  contradicted: 'preuves contradictoires',
  duplicated: 'en double',
  lines: {
    tool: {
      label: 'Opération',
      text: ({ name, version, effect }) =>
        t`${name}, version ${version} (${kinds[effect]}) ; planifiée`,
    },
    argument: {
      label: 'Contenu',
      text: ({ name, value, cut }) =>
        t`${name} : ${value}${cut ? t`… (coupé ; texte entier derrière le lien)` : ''}`,
    },
    digest: { label: 'Empreinte', text: ({ digest }) => digest },
    asked: {
      label: 'Demandée',
      text: ({ text, by, cut }) => t`par ${who(by)} : « ${text}${cut ? '…' : ''} »`,
    },
    conversation: {
      label: 'Dans',
      text: ({ title, by }) =>
        title === ''
          ? t`une conversation ouverte par ${who(by)}`
          : t`« ${title} », ouverte par ${who(by)}`,
    },
    approved: {
      label: 'Approbation',
      text: ({ by, until }, { date }) => t`donnée par ${who(by)}, valable jusqu’au ${date(until)}`,
    },
    approvalOpen: { label: 'Approbation', text: () => 'demandée, non donnée' },
    standing: {
      label: 'Permission permanente',
      text: ({ agent }) => t`l’agent « ${agent} » peut utiliser cet outil sans demander`,
    },
    granted: { label: 'Délégation', text: ({ by }) => t`donnée avec l’approbation ${by}` },
    reissueOf: {
      label: 'Réémission',
      text: ({ actionId }) =>
        t`nouvelle intention à la place de ${actionId}, dont l’issue n’était pas connue`,
    },
    action: { label: 'Action', text: ({ actionId }) => actionId },
    stored: {
      label: 'Enregistrée avant l’envoi',
      text: ({ step, runId }) => t`dans le registre, avec l’étape ${step} de ${runId}`,
    },
    travels: {
      label: 'Transmise à la destination',
      text: ({ as, place }) => t`comme ${as === 'key' ? 'clé' : 'référence'} (${place})`,
    },
    attempt: {
      label: 'Tentative',
      text: ({ attempt, until }, { date }) =>
        t`numéro ${attempt}, pouvait partir jusqu’au ${date(until)}`,
    },
    destination: {
      label: 'Où',
      text: ({ provider, account, environment, apiVersion }) =>
        t`${provider}, compte ${account}, environnement ${environment}, version d’API ${apiVersion}`,
    },
    operations: { label: 'Opération distante', text: ({ operations }) => operations },
    state: {
      label: 'État',
      text: ({ effect, disposition }) =>
        disposition === 'open'
          ? effects[effect]
          : t`${effects[effect]} ; ${dispositions[disposition]}`,
    },
    ended: {
      label: 'Fin de tentative',
      text: ({ attempt, how, milestone, because }) =>
        t`numéro ${attempt} : ${ends[how]} ; allée jusqu’à « ${milestones[milestone]} ». ${frenchOf(because)}`,
    },
    running: {
      label: 'Peut-être en cours',
      text: ({ attempt, until }, { date }) => t`tentative ${attempt}, jusqu’au ${date(until)}`,
    },
    contradicted: {
      label: 'Contradiction',
      text: () => t`les preuves se contredisent : est-ce le même système, la même action ?`,
    },
    duplicated: { label: 'En double', text: ({ twin }) => t`${twin} a été exécutée aussi` },
    object: { label: 'Objet', text: ({ reference }) => reference },
    told: { label: 'Dit à l’agent', text: ({ text }) => frenchOf(text) },
    observation: {
      label: 'Observation',
      text: ({
        source,
        says: said,
        lookUp,
        by,
        uncounted,
        because,
        coverage,
        account,
        environment,
        reference,
      }) =>
        [
          t`${sources[source]}${by === undefined ? '' : t` (${who(by)})`} : ${
            lookUp === undefined ? says[said] : t`${searches[lookUp]} ; ${says[said]}`
          }.`,
          frenchOf(because),
          t`Dans ${account}/${environment}.`,
          ...(coverage === undefined ? [] : [t`Couverture : ${frenchOf(coverage)}.`]),
          ...(reference === undefined ? [] : [t`Référence : ${reference}.`]),
          ...(uncounted === undefined
            ? []
            : [t`Cela ne règle rien en soi : cela compte avec la décision qui le retient.`]),
        ].join(' '),
    },
    lookUp: {
      label: 'Contrôle prévu',
      text: ({ tool, by, complete, coverage, settleMs }, { span }) =>
        t`${tool}, ${by === 'reference' ? 'par référence' : 'par le nom seulement'} ; couvre ${coverage.split(', ').map(frenchOf).join(', ')} (${
          complete ? 'complet' : 'incomplet'
        }) ; une absence compte ${span(settleMs)} après le délai de la tentative`,
    },
    poll: {
      label: 'Contrôle prévu',
      text: ({ tool, everyMs }, { span }) => t`${tool}, toutes les ${span(everyMs)}`,
    },
    key: {
      label: 'Clé',
      text: ({ scope, retentionMs, onRepeat, compares }, { span }) =>
        t`retenue par ${scope} pendant ${span(retentionMs)} ; une répétition ${repeats[onRepeat]} ; ${
          compares ? 'paramètres comparés' : 'paramètres non comparés'
        }`,
    },
    referenceOnly: {
      label: 'Clé',
      text: () =>
        t`aucune : une référence est transmise et peut être recherchée, mais une répétition agit de nouveau`,
    },
    noKey: { label: 'Clé', text: () => t`aucune : une répétition agit de nouveau` },
    covers: {
      label: 'Première tentative',
      text: ({ until }, { date }) => t`encore couverte par la clé, jusqu’au ${date(until)}`,
    },
    coversNoMore: {
      label: 'Première tentative',
      text: ({ since }, { date }) => t`n’est plus couverte par la clé depuis le ${date(since)}`,
    },
    tried: {
      label: 'Essayé par',
      text: ({ by, how }) =>
        t`${demoVerifiedFr(by) ?? by} : ${demoVerifiedFr(how) ?? frenchOf(how)}`,
    },
    newerContract: {
      label: 'Contrat plus récent',
      text: ({ version }) =>
        t`la version ${version} de l’outil est l’actuelle ; une répétition exige les deux`,
    },
    changed: {
      label: 'Changé depuis',
      text: ({ what, by, reason }) => t`${changes[what]} par ${who(by)} : ${reason}`,
    },
    approvalRevoked: {
      label: 'Changé depuis',
      text: ({ by, reason }) => t`Approbation révoquée par ${by} : ${reason}`,
    },
    run: { label: 'Exécution', text: ({ status, runId }) => t`${runId}, ${runs[status]}` },
    disposed: {
      label: 'Disposition',
      text: ({ kind, by, because }) => t`${dispositions[kind]} par ${by} : ${frenchOf(because)}`,
    },
    decided: {
      label: 'Décision',
      text: ({ kind, by, reason, seenHead }) =>
        t`${decisions[kind]}, par ${who(by)}, sur l’entrée ${seenHead} du journal${
          reason === undefined ? '' : t` : ${reason}`
        }`,
    },
    holder: {
      label: 'Responsable',
      text: ({ by, until }, { date }) => t`${who(by)}, jusqu’au ${date(until)}`,
    },
    recoverer: {
      label: 'Responsable',
      text: ({ name }) => t`${name}, jusqu’à ce que quelqu’un prenne le cas en charge`,
    },
    reissuedAs: { label: 'Nouvelle intention', text: ({ actionId }) => actionId },
    waits: {
      label: 'Attend',
      text: ({ by, until }, { date }) => t`jusqu’au ${date(until)}, décidé par ${who(by)}`,
    },
    nextAt: {
      label: 'Prochain contrôle',
      text: ({ at }, { date }) => t`par Reprise, le ${date(at)}`,
    },
    nextMachine: { label: 'Prochain contrôle', text: () => 'Reprise recherche en ce moment' },
    nextPerson: {
      label: 'Prochain contrôle',
      text: ({ name }) => t`${name ?? 'une personne'} décide ou contrôle`,
    },
    nextNone: {
      label: 'Prochain contrôle',
      text: () => t`aucun n’est prévu ; une preuve tardive reste acceptée`,
    },
  },
  missing: {
    noPersonApproved: 'aucune personne n’a approuvé ce contenu précis',
    identityStaysHere: t`l’identité n’est pas transmise : la destination ne reconnaît pas une répétition`,
    notSent: 'rien n’a encore été envoyé',
    nobodyAnsweredThere: 'cette destination n’a rien répondu sur cette action',
    outcome: 'savoir si l’effet a eu lieu',
    noEvidence: 'une preuve de l’effet ou de son absence',
    noWayToLook: t`une recherche : le contrat n’en déclare aucune`,
    lookUpIncomplete: 'une recherche capable de prouver une absence',
    notTried: t`un essai de ce contrat : qui a essayé des répétitions, quand et comment`,
    keyGone: 'une clé qui couvre encore la première tentative',
    mandateGone: 'un mandat en vigueur',
    nobodyInCharge: 'un responsable',
    personsDecision: 'la décision d’une personne',
  },
  stateAt: (date, by) => t`État à cet instant : ${date}. Établi pour ${by}.`,
  parts: {
    since: 'depuis',
    missing: 'Manque',
    nothingMissing: 'rien',
    owner: 'Responsable',
    nobody: 'personne',
    until: 'jusqu’au',
    head: 'Entrée du journal',
    state: 'État',
    link: 'Adresse',
    observed: 'observé',
    supposed: 'supposé',
  },
};
