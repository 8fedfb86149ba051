// Checks a registration before it is stored: what its transport could not carry is refused here, not at the first call.
// Owns: templates against the argument schema, and the key's place against the transport.
// Laws: L5 (a declared key must really travel), L18 (no secret in a URL, none written out in a header).
// Tested in test/functions/adapters/registration.test.ts.
import type { Json, JsonObject } from '../../core/base/json.ts';
import { type HttpTransport, SecretName, type ToolRegistration } from '../../core/registry/tool.ts';
import { schemaProblems } from './arguments.ts';
import { ownHeaders } from './http-request.ts';
import { bodyPlaceProblems, pathPlaceOf, placeOf } from './reference-place.ts';
import { type Placeholder, placeholdersIn, textsIn, wholePlaceholder } from './templates.ts';

interface Template {
  /** Where it stands, for the message. */
  readonly where: string;
  readonly text: string;
  readonly secretsAllowed: boolean;
  /** A missing argument leaves the part out, if the template is that placeholder alone. */
  readonly omittable: boolean;
}

const templatesOf = (transport: HttpTransport): readonly Template[] => {
  const { url, query, headers, body } = transport;
  const inBody = (where: string, text: string): Template => ({
    where,
    text,
    secretsAllowed: true,
    omittable: true,
  });
  const listed = (where: string, texts: JsonObject): readonly Template[] =>
    textsIn(texts).map((text) => inBody(where, text));
  const ofBody = (): readonly Template[] => {
    switch (body?.as) {
      case 'json':
        return listed('body', body.template);
      case 'form':
        return listed('form', body.fields);
      case 'raw':
        return [inBody('body', body.template)];
      default:
        return [];
    }
  };
  return [
    { where: 'url', text: url, secretsAllowed: false, omittable: false },
    ...listed('query', query).map((one) => ({ ...one, secretsAllowed: false })),
    ...listed('headers', headers),
    ...ofBody(),
  ];
};

type Known = 'required' | 'optional' | 'missing';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the schema knows an argument path. Where it says nothing (a $ref, open objects), the path is taken as optional. */
const knownIn = (schema: Json | undefined, path: readonly string[]): Known => {
  const [name, ...rest] = path;
  if (name === undefined) return 'required';
  if (!isObject(schema) || !isObject(schema.properties)) return 'optional';
  const { properties, required } = schema;
  if (!Object.hasOwn(properties, name)) {
    const open = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some(
      (key) => key in schema,
    );
    return open || isObject(schema.additionalProperties) ? 'optional' : 'missing';
  }
  const inner = knownIn(properties[name], rest);
  const here = Array.isArray(required) && required.includes(name);
  return inner === 'required' && !here ? 'optional' : inner;
};

const placeholderProblem = (
  placeholder: Placeholder,
  template: Template,
  schema: JsonObject,
  alone: boolean,
): string | undefined => {
  const { where, secretsAllowed, omittable } = template;
  switch (placeholder.of) {
    case 'unknown':
      return `${where}: "{{${placeholder.text}}}" means nothing. Use args.…, reference or secret:….`;
    case 'secret':
      if (!SecretName.safeParse(placeholder.name).success) {
        return `${where}: "${placeholder.name}" cannot be the name of a secret.`;
      }
      return secretsAllowed
        ? undefined
        : `${where}: a secret may stand in headers and the body only.`;
    case 'reference':
      return undefined;
    case 'argument': {
      const known = knownIn(schema, placeholder.path === '' ? [] : placeholder.path.split('.'));
      if (known === 'missing') return `${where}: there is no argument "${placeholder.path}".`;
      if (known === 'required' || (alone && omittable)) return undefined;
      return `${where}: the argument "${placeholder.path}" must be required, or the placeholder stand alone.`;
    }
  }
};

const templateProblems = (registration: ToolRegistration, transport: HttpTransport) => {
  const place = pathPlaceOf(registration.contract);
  return templatesOf(transport).flatMap((template) => {
    const alone = wholePlaceholder(template.text, place) !== undefined;
    return placeholdersIn(template.text, place).flatMap(
      (one) => placeholderProblem(one, template, registration.arguments, alone) ?? [],
    );
  });
};

const addressProblems = (url: string): readonly string[] => {
  const authority = /^([a-z]+):\/\/([^/?#]*)/i.exec(url);
  if (authority === null) return ['url: write it whole, as https://host/path.'];
  const [, scheme = '', host = ''] = authority;
  if (!/^https?$/i.test(scheme))
    return [`url: only http and https may be called, not "${scheme}".`];
  if (host.includes('{{')) return ['url: the host may not come from an argument.'];
  if (host.includes('@')) return ['url: it holds credentials. Put a secret into a header.'];
  return URL.canParse(`${scheme}://${host}/`) ? [] : [`url: "${host}" is no host.`];
};

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** What these hold lets somebody in, and a registration is read by everybody who may see tools. */
const credentialHeader =
  /^(?:proxy-)?authorization$|^cookie$|(?:^|[-_])(?:api[-_]?key|token|secret|password)$/i;

const headerProblems = (headers: HttpTransport['headers']): readonly string[] =>
  Object.entries(headers).flatMap(([name, template]) => {
    if (!headerName.test(name)) return [`headers: "${name}" is no header name.`];
    if (ownHeaders.has(name.toLowerCase()))
      return [`headers: "${name}" is set by the connection. Leave it out.`];
    if (!credentialHeader.test(name)) return [];
    return placeholdersIn(template).some((one) => one.of === 'secret')
      ? []
      : [`headers: "${name}" holds a credential. Keep it as a secret, and write {{secret:name}}.`];
  });

const httpPlaceProblems = (registration: ToolRegistration, transport: HttpTransport): string[] => {
  const place = placeOf(registration.contract);
  const { body, headers, url } = transport;
  switch (place?.in) {
    case undefined:
    case 'query':
      return [];
    case 'path':
      return placeholdersIn(url, place.name).some((one) => one.of === 'reference')
        ? []
        : [`key: the URL has no placeholder {{${place.name}}} for it.`];
    case 'header': {
      if (!headerName.test(place.name)) {
        return [`key: "${place.name}" is no header name.`];
      }
      const same = Object.entries(headers).find(
        ([name]) => name.toLowerCase() === place.name.toLowerCase(),
      );
      const fits = same === undefined || wholePlaceholder(same[1])?.of === 'reference';
      return fits ? [] : [`key: the header "${place.name}" is already given another value.`];
    }
    case 'body':
      if (body === undefined) return ['key: it stands in the body, and the request has none.'];
      return body.as === 'raw'
        ? [
            'key: it cannot be put into a raw body. Write {{reference}} there and declare another place.',
          ]
        : [...bodyPlaceProblems(registration)];
  }
};

const httpProblems = (registration: ToolRegistration, transport: HttpTransport): string[] => {
  const { method, body } = transport;
  const bodiless = (method === 'GET' || method === 'HEAD') && body !== undefined;
  return [
    ...(bodiless ? [`body: a ${method} request has none.`] : []),
    ...addressProblems(transport.url),
    ...headerProblems(transport.headers),
    ...templateProblems(registration, transport),
    ...httpPlaceProblems(registration, transport),
  ];
};

const payloadPlaceProblems = (registration: ToolRegistration): string[] => {
  const place = placeOf(registration.contract);
  return place === undefined || place.in === 'body'
    ? []
    : [`key: this transport carries it in the arguments only, not in the ${place.in}.`];
};

const mcpProblems = (registration: ToolRegistration): readonly string[] => {
  const { transport } = registration;
  if (transport.kind !== 'mcp') return [];
  const asHttp: HttpTransport = {
    kind: 'http',
    method: 'POST',
    url: transport.url,
    query: {},
    headers: transport.headers,
    replyBytesMax: 1,
  };
  const place = placeOf(registration.contract);
  const differs =
    place?.in === 'body' &&
    transport.referenceArgument !== undefined &&
    transport.referenceArgument !== place.path;
  return [
    ...addressProblems(transport.url),
    ...headerProblems(transport.headers),
    ...templateProblems(registration, asHttp),
    ...payloadPlaceProblems(registration),
    ...bodyPlaceProblems(registration),
    ...(differs ? ['key: its place and referenceArgument name different arguments.'] : []),
  ];
};

/** Why a registration cannot be stored, one sentence each; empty when it can. */
export const registrationProblems = (registration: ToolRegistration): readonly string[] => {
  const schema = schemaProblems(registration.arguments).map((one) => `arguments: ${one}`);
  switch (registration.transport.kind) {
    case 'http':
      return [...schema, ...httpProblems(registration, registration.transport)];
    case 'mcp':
      return [...schema, ...mcpProblems(registration)];
    case 'lambda':
      return [...schema, ...payloadPlaceProblems(registration), ...bodyPlaceProblems(registration)];
  }
};
