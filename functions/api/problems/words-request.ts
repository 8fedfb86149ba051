// Problems of a request as such: who sends it, its form, its key. Owns: their words.
import { kind } from './kind.ts';

export const requestProblems = {
  unauthenticated: kind(
    401,
    ['Not signed in', () => 'No valid token came with the request. Sign in and send it again.'],
    [
      'Non authentifié',
      () => 'La requête ne porte aucun jeton valable. Connectez-vous, puis renvoyez-la.',
    ],
  ),
  forbidden: kind<{ role: string }>(
    403,
    ['Not allowed', ({ role }) => `This needs the role "${role}". Ask an administrator for it.`],
    [
      'Non autorisé',
      ({ role }) => `Il faut pour cela le rôle « ${role} ». Demandez-le à un administrateur.`,
    ],
  ),
  'not-found': kind(
    404,
    ['Not found', () => 'There is no such thing in this workspace. Check the address.'],
    ['Introuvable', () => 'Rien de tel n’existe dans cet espace de travail. Vérifiez l’adresse.'],
  ),
  'method-not-allowed': kind<{ allowed: string }>(
    405,
    ['Method not allowed', ({ allowed }) => `This address answers to ${allowed} only.`],
    ['Méthode non autorisée', ({ allowed }) => `Cette adresse n’accepte que ${allowed}.`],
  ),
  'body-too-large': kind<{ bytesMax: number }>(
    413,
    ['Body too large', ({ bytesMax }) => `At most ${bytesMax} bytes are taken. Send less.`],
    [
      'Corps trop volumineux',
      ({ bytesMax }) => `Au plus ${bytesMax} octets sont acceptés. Envoyez-en moins.`,
    ],
  ),
  'unsupported-media-type': kind(
    415,
    ['Unsupported media type', () => 'Send the body as application/json.'],
    ['Type de média non pris en charge', () => 'Envoyez le corps en application/json.'],
  ),
  'invalid-json': kind(
    400,
    ['Invalid JSON', () => 'The body is not valid JSON in UTF-8. Correct it and send it again.'],
    [
      'JSON invalide',
      () => 'Le corps n’est pas du JSON valable en UTF-8. Corrigez-le, puis renvoyez-le.',
    ],
  ),
  'too-deep': kind<{ depthMax: number }>(
    400,
    ['JSON nested too deeply', ({ depthMax }) => `At most ${depthMax} levels are taken.`],
    ['JSON trop imbriqué', ({ depthMax }) => `Au plus ${depthMax} niveaux sont acceptés.`],
  ),
  'invalid-body': kind(
    422,
    ['Invalid content', () => 'Some fields are not as they must be; "errors" names each.'],
    [
      'Contenu invalide',
      () => 'Certains champs ne sont pas conformes ; « errors » nomme chacun d’eux.',
    ],
  ),
  'invalid-query': kind(
    400,
    ['Invalid query', () => 'Some query parameters are not as they must be; see "errors".'],
    [
      'Paramètres invalides',
      () => 'Certains paramètres de la requête ne sont pas conformes ; voir « errors ».',
    ],
  ),
  'bad-cursor': kind(
    400,
    [
      'Unknown cursor',
      () => 'The cursor is not one that this list gave out. Start again without it.',
    ],
    ['Curseur inconnu', () => 'Ce curseur ne vient pas de cette liste. Recommencez sans curseur.'],
  ),
  'idempotency-key-missing': kind(
    400,
    [
      'Idempotency-Key missing',
      () => 'Give each new request a key of its own in "Idempotency-Key"; repeat it on a retry.',
    ],
    [
      'Idempotency-Key absente',
      () =>
        'Donnez à chaque nouvelle requête sa propre clé dans « Idempotency-Key » ; répétez-la pour un nouvel essai.',
    ],
  ),
  'idempotency-key-invalid': kind(
    400,
    ['Idempotency-Key invalid', () => 'The key must be 1 to 255 visible ASCII characters.'],
    ['Idempotency-Key invalide', () => 'La clé doit compter de 1 à 255 caractères ASCII visibles.'],
  ),
  'request-in-flight': kind(
    409,
    [
      'Still being handled',
      () => 'A request with the same key is being handled. Send it again in a moment.',
    ],
    [
      'Déjà en cours',
      () => 'Une requête portant la même clé est en cours. Renvoyez-la dans un instant.',
    ],
  ),
  'idempotency-key-reused': kind(
    422,
    [
      'Idempotency-Key reused',
      () => 'This key came with other content before. Use a new key for a new request.',
    ],
    [
      'Idempotency-Key réutilisée',
      () =>
        'Cette clé a déjà servi avec un autre contenu. Prenez une nouvelle clé pour une nouvelle requête.',
    ],
  ),
  busy: kind(
    503,
    ['Too busy', () => 'Others are changing the same thing. Nothing was done; try again.'],
    ['Trop sollicité', () => 'D’autres modifient la même chose. Rien n’a été fait ; réessayez.'],
  ),
  internal: kind(
    500,
    [
      'Internal error',
      () =>
        'The request could not be handled. Send it again with the same key; tell us if it stays.',
    ],
    [
      'Erreur interne',
      () =>
        'La requête n’a pas pu être traitée. Renvoyez-la avec la même clé ; signalez-le si cela persiste.',
    ],
  ),
};
