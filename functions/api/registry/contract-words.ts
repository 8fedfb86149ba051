// What contract-check found, in the caller's language. A missing text does not compile. Owns: those words.
// Tested in test/functions/api/registry/contracts-page.test.ts.
import type { Finding, NoteCode, RefusalCode } from '../../core/registry/contract-check.ts';
import type { Language } from '../problems/language.ts';
import type { FieldError } from '../problems/problems.ts';

/** Found with the registry at hand, so not by the pure check. */
export type RegistryCode = 'look_up_tool_is_no_read';
export type RegistryNote = 'look_up_tool_not_registered';
export type ContractCode = RefusalCode | NoteCode | RegistryCode | RegistryNote;

const words: { readonly [Code in ContractCode]: { readonly [L in Language]: string } } = {
  reserved_name: {
    en: 'Reprise itself provides a tool of this name. Choose another.',
    fr: 'Reprise fournit déjà un outil de ce nom. Choisissez-en un autre.',
  },
  key_on_a_read: {
    en: 'A read is simply repeated; it takes no key. Remove the key, or declare a write.',
    fr: 'Une lecture se répète simplement, sans clé. Retirez la clé, ou déclarez une écriture.',
  },
  look_up_on_a_read: {
    en: 'A read has no effect to look up. Remove the look-up.',
    fr: 'Une lecture n’a pas d’effet à rechercher. Retirez la recherche.',
  },
  read_that_writes: {
    en: 'A tool that uses PUT, PATCH or DELETE is no read.',
    fr: 'Un outil qui emploie PUT, PATCH ou DELETE n’est pas une lecture.',
  },
  reference_does_not_travel: {
    en: 'A look-up by reference needs the reference to be sent. Declare the key or reference and its place.',
    fr: 'Une recherche par référence suppose que la référence soit envoyée. Déclarez la clé ou la référence, et sa place.',
  },
  reference_not_asked_for: {
    en: 'A look-up by reference asks for the reference, or compares it. Put "$reference" into its arguments or into what is compared.',
    fr: 'Une recherche par référence demande la référence, ou la compare. Mettez « $reference » dans ses arguments ou dans ce qui est comparé.',
  },
  reference_in_another_form: {
    en: 'The reference does not travel in this form, so that nothing would be found by it. Ask for the form in which it is sent, such as "$reference:uuid".',
    fr: 'La référence ne voyage pas sous cette forme ; rien ne serait donc trouvé par elle. Demandez la forme sous laquelle elle est envoyée, par exemple « $reference:uuid ».',
  },
  only_a_reference_may_be_contained: {
    en: 'Only the reference may be compared as a part of a text: a short argument is contained in too much.',
    fr: 'Seule la référence peut être comparée comme partie d’un texte : un argument court se trouve dans trop de choses.',
  },
  empty_template: {
    en: 'The template is empty. Leave the body out, or say what it holds.',
    fr: 'Le modèle est vide. Omettez le corps, ou dites ce qu’il contient.',
  },
  unknown_argument: {
    en: 'The tool has no argument of this name.',
    fr: 'L’outil n’a pas d’argument de ce nom.',
  },
  already_exists_without_look_up: {
    en: '"Already exists" can be our own first attempt; only a look-up tells. Declare one.',
    fr: '« Existe déjà » peut être notre propre première tentative ; seule une recherche le dit. Déclarez-en une.',
  },
  asks_only_over_mcp: {
    en: 'Only an MCP tool can ask in the middle of a call.',
    fr: 'Seul un outil MCP peut poser une question au milieu d’un appel.',
  },
  looks_up_itself: {
    en: 'The look-up must be another tool, a read.',
    fr: 'La recherche doit être un autre outil, une lecture.',
  },
  look_up_tool_is_no_read: {
    en: 'The look-up tool is registered, but is no read.',
    fr: 'L’outil de recherche est enregistré, mais n’est pas une lecture.',
  },
  look_up_tool_not_registered: {
    en: 'The look-up tool is not registered yet; until then nothing can be looked up.',
    fr: 'L’outil de recherche n’est pas encore enregistré ; d’ici là, rien ne peut être recherché.',
  },
  nothing_compared: {
    en: 'A hit that nothing is compared with proves nothing. Name the arguments to compare.',
    fr: 'Un résultat que l’on ne compare à rien ne prouve rien. Nommez les arguments à comparer.',
  },
  found_is_absent: {
    en: '"Found" and "absent" look the same.',
    fr: '« Trouvé » et « absent » se ressemblent en tout point.',
  },
  success_is_disproof: {
    en: 'The same reply is declared as success and as disproof.',
    fr: 'La même réponse est déclarée comme succès et comme réfutation.',
  },
  margin_beyond_retention: {
    en: 'The margin leaves nothing of the retention.',
    fr: 'La marge ne laisse rien de la durée de conservation.',
  },
  polls_past_its_limit: {
    en: 'The first poll would come after the limit.',
    fr: 'La première interrogation viendrait après la limite.',
  },
  poll_status_proves_nothing: {
    en: 'A poll that is answered with anything but a 2xx says nothing of the work. Name only statuses of 2xx here; one that means "not yet" belongs under "running".',
    fr: 'Une interrogation qui reçoit autre chose qu’un 2xx ne dit rien du travail. Ne nommez ici que des statuts 2xx ; celui qui veut dire « pas encore » se met sous « running ».',
  },
  header_is_not_read: {
    en: 'Only the replies of an HTTP tool have headers. Say it by a field of the body.',
    fr: 'Seules les réponses d’un outil HTTP ont des en-têtes. Dites-le par un champ du corps.',
  },
  preset_needs_a_key: {
    en: 'This preset is about a key, and fixes no retention. Declare the key with its retention.',
    fr: 'Ce préréglage porte sur une clé et ne fixe pas sa durée de conservation. Déclarez la clé avec sa durée.',
  },
  preset_needs_put: {
    en: 'This preset is for HTTP tools that use PUT.',
    fr: 'Ce préréglage est destiné aux outils HTTP qui emploient PUT.',
  },
  preset_needs_http: {
    en: 'This preset is a convention of HTTP. The tool uses another transport.',
    fr: 'Ce préréglage est une convention de HTTP. L’outil emploie un autre transport.',
  },
  preset_key_elsewhere: {
    en: 'By this convention the key travels in the header Idempotency-Key.',
    fr: 'Selon cette convention, la clé voyage dans l’en-tête Idempotency-Key.',
  },
  preset_repeat_differs: {
    en: 'By this convention a repeat gets the first result and other parameters are refused. Choose another preset if it does not.',
    fr: 'Selon cette convention, une répétition rend le premier résultat et d’autres paramètres sont refusés. Sinon, choisissez un autre préréglage.',
  },
  preset_retention_too_long: {
    en: 'By this convention a key is kept for 24 hours at most.',
    fr: 'Selon cette convention, une clé est conservée 24 heures au plus.',
  },
  put_not_conditional: {
    en: 'Only "If-None-Match: *" makes a PUT create and never replace. Leave the header to the preset.',
    fr: 'Seul « If-None-Match: * » fait qu’un PUT crée sans jamais remplacer. Laissez l’en-tête au préréglage.',
  },
  put_without_reference: {
    en: 'The address must hold {{reference}}: the object’s id is the action’s.',
    fr: 'L’adresse doit contenir {{reference}} : l’identifiant de l’objet est celui de l’action.',
  },
  preset_on_a_read: {
    en: 'This preset is about repeating a write. A read takes "http" or none.',
    fr: 'Ce préréglage porte sur la répétition d’une écriture. Une lecture prend « http » ou aucun.',
  },
  condition_does_not_parse: {
    en: 'This is not a valid JSONata expression.',
    fr: 'Ce n’est pas une expression JSONata valable.',
  },
  condition_has_no_bound: {
    en: 'It could run on for ever. Write it without functions of its own, names for values (:=), ranges (..), $eval and $pad, and no regular expression that repeats what varies, such as (a+)+.',
    fr: 'Elle pourrait ne jamais finir. Écrivez-la sans fonctions propres, sans noms de valeurs (:=), sans intervalles (..), sans $eval ni $pad, sans expression régulière qui répète ce qui varie, comme (a+)+.',
  },
  no_automatic_repeat: {
    en: 'The contract is not verified: nothing is repeated automatically, and a look-up that finds nothing proves nothing; a person decides.',
    fr: 'Le contrat n’est pas vérifié : rien n’est répété automatiquement, et une recherche qui ne trouve rien ne prouve rien ; une personne décide.',
  },
  nothing_proves_the_effect: {
    en: 'No reply is declared as success: the best that can be said is "accepted".',
    fr: 'Aucune réponse n’est déclarée comme succès : au mieux, on dira « acceptée ».',
  },
  always_needs_approval: {
    en: 'Irreversible calls always ask for approval, whatever the policy says.',
    fr: 'Un appel irréversible demande toujours une approbation, quelle que soit la règle.',
  },
  natural_key_never_proves_absence: {
    en: 'A natural key never proves absence, however complete the search.',
    fr: 'Une clé naturelle ne prouve jamais l’absence, si complète que soit la recherche.',
  },
  nobody_can_check: {
    en: 'No key and no look-up: after a lost reply only a person can find out.',
    fr: 'Ni clé ni recherche : après une réponse perdue, seule une personne peut savoir.',
  },
  asking_is_believed: {
    en: 'This is believed: when the tool asks and nobody accepts, the call counts as not done, with proof. Make sure that it writes nothing before.',
    fr: 'Ceci est cru : si l’outil pose une question et que personne n’accepte, l’appel compte comme non fait, avec preuve. Assurez-vous qu’il n’écrit rien avant.',
  },
  poll_proves_nothing: {
    en: 'No answer of the poll is declared as "succeeded": it proves nothing, and what is still in progress at the limit is looked up or put before a person.',
    fr: 'Aucune réponse de l’interrogation n’est déclarée « succeeded » : elle ne prouve rien, et ce qui est encore en cours à la limite est recherché ou soumis à une personne.',
  },
  a_repeat_overwrites: {
    en: 'A repeat would overwrite what somebody has changed since the first attempt: nothing is repeated while the outcome is open. Declare a look-up.',
    fr: 'Une répétition écraserait ce que quelqu’un a modifié depuis la première tentative : rien n’est répété tant que l’issue est ouverte. Déclarez une recherche.',
  },
  secret_outside_reprise: {
    en: 'On AWS only secrets whose names begin with "reprise/" can be read. Name it so, here and where it is kept.',
    fr: 'Sur AWS, seuls les secrets dont le nom commence par « reprise/ » peuvent être lus. Nommez-le ainsi, ici et là où il est gardé.',
  },
};

export const contractErrors =
  (findings: readonly Finding<ContractCode>[]) =>
  (language: Language): readonly FieldError[] =>
    findings.map(({ field, code }) => ({ field, code, reason: words[code][language] }));
