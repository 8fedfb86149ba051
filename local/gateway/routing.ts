// Which route a path belongs to, as API Gateway decides it: the most specific resource first, then the method.
// Owns: that order. Pure.
import type { Route } from '../../functions/manifest.ts';

export interface RouteMatch {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

const matchPath = (resource: string, path: string): Record<string, string> | undefined => {
  const wanted = segmentsOf(resource);
  const given = segmentsOf(path);
  const parameters: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const greedy = /^\{(.+)\+\}$/.exec(segment)?.[1];
    const rest = given.slice(at).map(decodeURIComponent).join('/');
    if (greedy !== undefined) return rest === '' ? undefined : { ...parameters, [greedy]: rest };
    const single = /^\{(.+)\}$/.exec(segment)?.[1];
    const value = given[at];
    if (value === undefined) return undefined;
    if (single === undefined ? value !== segment : value === '') return undefined;
    if (single !== undefined) parameters[single] = decodeURIComponent(value);
  }
  return wanted.length === given.length ? parameters : undefined;
};

/** Literal before parameter before greedy, segment by segment. */
const rank = (resource: string): string =>
  segmentsOf(resource)
    .map((segment) => (segment.endsWith('+}') ? '2' : segment.startsWith('{') ? '1' : '0'))
    .join('');

/** The route, or undefined when the API has no such resource or the resource no such method. */
export const findRoute = (
  routes: readonly Route[],
  method: string,
  path: string,
): RouteMatch | undefined => {
  const ordered = [...routes].sort((a, b) => rank(a.path).localeCompare(rank(b.path)));
  const resource = ordered.find((route) => matchPath(route.path, path) !== undefined)?.path;
  const route = ordered.find(
    (each) => each.path === resource && (each.method === method || each.method === 'ANY'),
  );
  if (route === undefined) return undefined;
  return { route, parameters: matchPath(route.path, path) ?? {} };
};
