// What `npm start -- --help` says. Owns: that text, in both languages.
import type { Language } from '../base/language.ts';

export const usages: { readonly [Each in Language]: string } = {
  en: `Usage: npm start -- [--data DIR] [--port N] [--fresh] [--no-demo] [--open] [--lang en|fr]
  --data DIR   where everything is kept (default .reprise)
  --port N     the port to listen on (default 4400, or the next free one)
  --fresh      forget what the folder holds
  --no-demo    without the demo's destinations, tools and agent
  --open       open the page in a browser
  --lang       language of what is printed (default: the locale's)
  --help       this

Environment:
  REPRISE_MODEL   the model of the demo's agent; without it, a script
  REPRISE_EGRESS  where tools may call, beside the demo: '{"hosts":["api.example.com"],"allowPrivate":["127.0.0.1:8090"]}'
`,
  fr: `Usage : npm start -- [--data DOSSIER] [--port N] [--fresh] [--no-demo] [--open] [--lang en|fr]
  --data DOSSIER  où tout est gardé (défaut .reprise)
  --port N        le port d’écoute (défaut 4400, ou le suivant libre)
  --fresh         oublie ce que le dossier contient
  --no-demo       sans les destinations, les outils et l’agent de la démo
  --open          ouvre la page dans un navigateur
  --lang          langue de ce qui s’affiche (défaut : celle du système)
  --help          ceci

Environnement :
  REPRISE_MODEL   le modèle de l’agent de la démo ; sans lui, un script
  REPRISE_EGRESS  où les outils peuvent appeler, outre la démo : '{"hosts":["api.example.com"],"allowPrivate":["127.0.0.1:8090"]}'
`,
};
