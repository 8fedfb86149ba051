// `reprise login` and `reprise logout`. Owns: those commands. What they need is loaded when they run: every other command would
// wait for it.
import type { Command } from '../kit/command.ts';

const login: Command = {
  name: 'login',
  en: 'Signs in to a deployed API, with the browser',
  fr: 'Connecte à une API déployée, avec le navigateur',
  options: {
    'no-browser': {
      type: 'boolean',
      en: 'Prints the address only',
      fr: 'N’affiche que l’adresse',
    },
  },
  run: async (given, place) => (await import('../session/signing-in.ts')).logIn(given, place),
};

const logout: Command = {
  name: 'logout',
  en: 'Ends the sign-in to a deployed API',
  fr: 'Met fin à la connexion à une API déployée',
  run: async (given, place) => (await import('../session/signing-in.ts')).logOut(given, place),
};

export const loginCommands: readonly Command[] = [login, logout];
