// The page on which one of this machine's people is chosen. Owns: its words and its look. No script, nothing from elsewhere.
import { createHash } from 'node:crypto';
import type { Language } from '../../functions/api/problems/language.ts';
import { type Person, people } from './people.ts';

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh}
main{max-width:26rem;padding:1.5rem}
ul{list-style:none;padding:0;display:grid;gap:.5rem}
a{display:block;padding:.75rem 1rem;border:1px solid;border-radius:.5rem;color:inherit;text-decoration:none}
a:hover{text-decoration:underline}
small{display:block}`;

const words = {
  en: {
    title: 'Who are you?',
    hint: 'The identity provider of this machine: everybody may be anybody here. On AWS this is your own sign-in.',
    roles: (names: string) => `Roles: ${names}`,
    wrong: 'This sign-in cannot go on',
    wrongHint: 'Go back to Reprise and begin again.',
  },
  fr: {
    title: 'Qui êtes-vous ?',
    hint: 'Le fournisseur d’identité de cette machine : chacun peut y être n’importe qui. Sur AWS, c’est votre propre connexion.',
    roles: (names: string) => `Rôles : ${names}`,
    wrong: 'Cette connexion ne peut pas continuer',
    wrongHint: 'Revenez à Reprise et recommencez.',
  },
} as const;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const chooserHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

const document = (language: Language, title: string, content: string): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>` +
  `<style>${style}</style><main><h1>${escaped(title)}</h1>${content}</main></html>`;

/** One link per person; `addressFor` says where it leads. */
export const chooserPage = (language: Language, addressFor: (person: Person) => string): string => {
  const { title, hint, roles } = words[language];
  const entries = Object.values(people).map(
    (person) =>
      `<li><a href="${escaped(addressFor(person))}">${escaped(person.name)}` +
      `<small>${escaped(roles(person.roles.join(', ')))}</small></a></li>`,
  );
  return document(language, title, `<p>${escaped(hint)}</p><ul>${entries.join('')}</ul>`);
};

/** What a request that no client of ours would send is answered with; nobody is sent anywhere. */
export const wrongPage = (language: Language, why: string): string => {
  const { wrong, wrongHint } = words[language];
  return document(language, wrong, `<p>${escaped(why)}</p><p>${escaped(wrongHint)}</p>`);
};
