// What a run waits for, as AG-UI interrupts: who is asked what, and the JSON Schema of each answer. Owns: those schemas, which
// fit what the API takes as answers. Laws: L6 (an approval names the digest it was shown), L12, L13.
// Tested in test/functions/api/clients/strand.test.ts.
import type { Form } from '../../core/base/form.ts';
import type { Json, JsonObject } from '../../core/base/json.ts';
import { isBarring } from '../answers/against-words.ts';
import { reasonCharactersMax } from '../schemas/requests.ts';
import { actionNote } from './action-note.ts';
import { type AgUiInterrupt, interruptReasons } from './ag-ui-wire.ts';
import type { Waiting } from './beat.ts';
import { stoodNote } from './stood-note.ts';

const choice = (kind: string, fields: JsonObject): JsonObject => ({
  type: 'object',
  title: kind,
  properties: { kind: { const: kind }, ...fields },
  required: ['kind', ...Object.keys(fields)],
  additionalProperties: false,
});
const words = (title: string): Json => ({
  type: 'string',
  minLength: 1,
  maxLength: reasonCharactersMax,
  title,
});
const anyOf = (...choices: readonly JsonObject[]): JsonObject => ({
  type: 'object',
  oneOf: choices,
});

const formSchema = (form: Form): JsonObject => JSON.parse(JSON.stringify(form));

const schemaFor = ({ request, stood }: Waiting): JsonObject | undefined => {
  switch (request.on) {
    case 'approval':
      return anyOf(
        // What could open no attempt now is not approved: the answer would be refused.
        ...(stood.against.some(isBarring)
          ? []
          : [choice('approve', { digest: { const: request.digest } })]),
        choice('refuse', { reason: words('Why') }),
        choice('request_changes', { text: words('What should change') }),
      );
    case 'skill':
      return anyOf(
        choice('grant', { scope: { enum: ['run', 'agent'] } }),
        choice('refuse', { reason: words('Why') }),
      );
    case 'question':
      return formSchema(request.form);
    case 'recovery':
      return undefined;
  }
};

const messageFor = ({ request, action, stood }: Waiting): string => {
  switch (request.on) {
    case 'approval':
      return [`Approve ${action.tool.name}?`, ...stoodNote(stood).says].join(' ');
    case 'skill':
      return `Grant the skill "${request.skill}"? ${request.reason}`;
    case 'question':
      return request.message;
    case 'recovery':
      return `It is not known whether ${action.tool.name} was carried out. ${request.because} A person decides it at the recovery desk, not here.`;
  }
};

const detailsOf = ({ request, action, stood }: Waiting): JsonObject => {
  switch (request.on) {
    case 'approval':
      return {
        digest: request.digest,
        tool: { ...action.tool },
        destination: { ...action.destination },
        arguments: action.arguments,
        ...stoodNote(stood).members,
        role: request.role,
      };
    case 'skill':
      return { skill: request.skill, version: request.version, tools: [...request.tools] };
    case 'question':
      return {};
    case 'recovery':
      return { ...actionNote(action, request.because) };
  }
};

/** One interrupt for each request that blocks the run; its id is the request's. */
export const interruptOf = (waiting: Waiting): AgUiInterrupt => {
  const { request } = waiting;
  const responseSchema = schemaFor(waiting);
  return {
    id: request.requestId,
    reason: interruptReasons[request.on],
    message: messageFor(waiting),
    toolCallId: request.actionId,
    ...(responseSchema === undefined ? {} : { responseSchema }),
    ...(request.expiresAtMs === undefined
      ? {}
      : { expiresAt: new Date(request.expiresAtMs).toISOString() }),
    metadata: { reprise: { on: request.on, ...detailsOf(waiting) } },
  };
};
