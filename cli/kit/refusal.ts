// What the API refused, as it wrote it; of a thing that is not there, which one was asked for and where the right ones are.
// Owns: that form.
import type { Problem } from './client.ts';
import type { Place } from './command.ts';
import { plain } from './table.ts';

/** Where the things of an address are listed, and their words. */
const things: readonly (readonly [place: string, list: string, en: string, fr: string])[] = [
  ['runs', 'reprise runs list', 'run', 'de run'],
  ['conversations', 'reprise runs list', 'conversation', 'de conversation'],
  ['requests', 'reprise requests list', 'request', 'de demande'],
  ['actions', 'reprise desk list', 'action', 'd’action'],
  ['tools', 'reprise tools list', 'tool', 'd’outil'],
  ['agents', 'reprise agents list', 'agent', 'd’agent'],
  ['routines', 'reprise routines list', 'routine', 'de routine'],
];

const segmentOf = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `instance` is the path of the request. */
const notThere = ({ instance, type }: Problem, { say }: Place): readonly string[] => {
  if (typeof instance !== 'string' || !type.endsWith('/not-found')) return [];
  const [, place, id] = /^\/v1\/([a-z-]+)\/([^/]+)/.exec(instance) ?? [];
  const thing = things.find(([name]) => name === place);
  if (thing === undefined || id === undefined) return [];
  const [, list, en, fr] = thing;
  const asked = plain(segmentOf(id));
  return [
    say(
      `There is no ${en} "${asked}" here. What there is: ${list}`,
      `Il n’y a pas ${fr} « ${asked} » ici. Ce qu’il y a : ${list}`,
    ),
  ];
};

export const refusalText = (problem: Problem, place: Place): string => {
  const { title, detail, type, status, errors } = problem;
  return [
    place.paint('bad', title),
    ...(detail === undefined ? [] : [detail]),
    ...notThere(problem, place),
    ...(errors ?? []).map(({ field, reason }) => `  ${field}: ${reason}`),
    place.paint('dim', `${status} ${type}`),
  ].join('\n');
};
