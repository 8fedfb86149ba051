// Signing in to a deployed API with the browser, by the authorization code with PKCE, as a client of the issuer's own; and out.
// Owns: what is asked of whom, and what is said of it. Laws: L18 (no token is printed, or in an address).

import { decodeJwt } from 'jose';
import { isLoopback } from '../../functions/adapters/oidc/verifier.ts';
import { contextFrom } from '../../functions/api/identity/claims.ts';
import { IssuerUnavailable, SignInRefused } from '../../functions/ports/sign-in.ts';
import { openBrowser } from '../../local/command/open-browser.ts';
import { ApiUnreachable } from '../kit/client.ts';
import { type ExitCode, exitCodes, type Given, type Place, UsageError } from '../kit/command.ts';
import { roleWord } from '../words/terms.ts';
import { type Loopback, openLoopback } from './loopback.ts';
import {
  bearerIn,
  drop,
  IssuerClient,
  issuerOf,
  type Kept,
  keep,
  sessionsFile,
} from './sessions.ts';

const waitMs = 300_000;

/** What went wrong in words; the exit code says that nobody is signed in. */
class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** The address of the API. Tokens go there, so it must be TLS, save on this very machine. */
const urlIn = (given: Given, { env, say }: Place): string => {
  const text = given.text('url') ?? env.REPRISE_URL;
  if (text === undefined)
    throw new UsageError(
      say(
        'Which API? Name it with --url, or in REPRISE_URL. A twin on this machine needs no login.',
        'Quelle API ? Nommez-la avec --url, ou dans REPRISE_URL. Un jumeau sur cette machine n’a pas besoin de connexion.',
      ),
    );
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url)))
    return text.replace(/\/+$/, '');
  throw new UsageError(say(`${text} is no https address.`, `${text} n’est pas une adresse https.`));
};

const clientAt = async (url: string, { say }: Place): Promise<IssuerClient> => {
  try {
    const response = await fetch(`${url}/auth/client`, { redirect: 'error' });
    return IssuerClient.parse(await response.json());
  } catch {
    throw new ApiUnreachable(
      say(
        `${url} does not say how to sign in. Is it the address of Reprise's page?`,
        `${url} ne dit pas comment se connecter. Est-ce l’adresse de la page de Reprise ?`,
      ),
    );
  }
};

const wordsOf = ({ say }: Place) => ({
  done: say(
    'You are back. Look at the command line; this window can be closed.',
    'Vous voilà de retour. Voyez la ligne de commande ; cette fenêtre peut être fermée.',
  ),
  wrong: say('Nothing waits for this.', 'Rien n’attend ceci.'),
});

const showAddress = (given: Given, place: Place, address: string): void => {
  const { say, tell } = place;
  tell(say('Sign in with your browser:', 'Connectez-vous avec votre navigateur :'));
  tell(address);
  const none = (): void =>
    tell(say('No browser could be opened: open it yourself.', 'Ouvrez-la vous-même.'));
  if (!given.flag('no-browser')) openBrowser(address, none);
};

const signIn = async (
  given: Given,
  place: Place,
  client: IssuerClient,
  loopback: Loopback,
): Promise<Kept> => {
  const { say } = place;
  const issuer = issuerOf(client);
  const { address, pending } = await issuer.begin({ returnTo: loopback.address, other: false });
  showAddress(given, place, address);
  const cameBackBy = await loopback.comeBack(pending.state, waitMs);
  if (cameBackBy === undefined)
    throw new NotSignedIn(
      say(
        'Nobody signed in within five minutes. Begin again.',
        'Personne ne s’est connecté en cinq minutes. Recommencez.',
      ),
    );
  const granted = await issuer.redeem(cameBackBy, pending);
  const bearer = await bearerIn(granted);
  if (bearer === undefined)
    throw new NotSignedIn(
      say(
        'Your account belongs to no workspace. Ask an administrator for one.',
        'Votre compte n’appartient à aucun espace de travail. Demandez-en un à un administrateur.',
      ),
    );
  const { refreshToken } = granted;
  return { ...client, ...bearer, ...(refreshToken === undefined ? {} : { refreshToken }) };
};

/** The issuer's failures, in words. */
const inWords = async <Answer>({ say }: Place, work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IssuerUnavailable)
      throw new ApiUnreachable(
        say(
          `The identity provider does not answer as it should. ${error.message}`,
          `Le fournisseur d’identité ne répond pas comme il se doit. ${error.message}`,
        ),
      );
    if (error instanceof SignInRefused)
      throw new NotSignedIn(
        say(
          `Nobody was signed in (${error.message}).`,
          `Personne n’a été connecté (${error.message}).`,
        ),
      );
    throw error;
  }
};

const tellWho = (place: Place, url: string, kept: Kept): void => {
  const {
    name = kept.subject,
    workspace = '',
    roles = '',
  } = contextFrom(decodeJwt(kept.token)) ?? {};
  const file = sessionsFile(place.env);
  if (place.json) {
    place.out(JSON.stringify({ url, name, workspace, roles, file }));
    return;
  }
  const held = roles
    .split(' ')
    .map((role) => roleWord(role, place.language))
    .join(', ');
  place.out(
    place.say(
      `Signed in to ${url} as ${name}, workspace ${workspace}, roles: ${held}.`,
      `Connecté à ${url} : ${name}, espace de travail ${workspace}, rôles : ${held}.`,
    ),
  );
  place.tell(place.say(`Kept in ${file}.`, `Conservé dans ${file}.`));
};

export const logIn = async (given: Given, place: Place): Promise<ExitCode> => {
  const url = urlIn(given, place);
  const client = await clientAt(url, place);
  const loopback = await openLoopback(wordsOf(place));
  if (loopback === undefined)
    throw new NotSignedIn(
      place.say(
        'The ports on which a browser may come back are all taken. End another login first.',
        'Les ports de retour du navigateur sont tous pris. Terminez d’abord une autre connexion.',
      ),
    );
  try {
    const kept = await inWords(place, () => signIn(given, place, client, loopback));
    await keep(place.env, url, kept);
    tellWho(place, url, kept);
    return exitCodes.ok;
  } finally {
    loopback.close();
  }
};

export const logOut = async (given: Given, place: Place): Promise<ExitCode> => {
  const { say, tell } = place;
  const url = urlIn(given, place);
  const kept = await drop(place.env, url);
  const { refreshToken } = kept ?? {};
  if (kept !== undefined && refreshToken !== undefined)
    try {
      await issuerOf(kept).revoke(refreshToken);
    } catch (error) {
      if (!(error instanceof IssuerUnavailable || error instanceof SignInRefused)) throw error;
      tell(
        say(
          'The identity provider was not told; here it is forgotten.',
          'Le fournisseur d’identité n’a pas été prévenu ; ici, c’est oublié.',
        ),
      );
    }
  if (place.json) place.out(JSON.stringify({ url, ended: kept !== undefined }));
  else
    tell(
      kept === undefined
        ? say(`Nobody was signed in to ${url}.`, `Personne n’était connecté à ${url}.`)
        : say(`Signed out of ${url}.`, `Déconnecté de ${url}.`),
    );
  return exitCodes.ok;
};
