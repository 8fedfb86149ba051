// What the command prints when it serves. Owns: those words.
import type { ModelChoice } from '../functions/core/agent.ts';

export interface Served {
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
  readonly model: ModelChoice;
  /** The demo's agent, or why there is none. */
  readonly demo:
    | { readonly kind: 'agent'; readonly agentId: string; readonly url: string }
    | { readonly kind: 'none'; readonly why: string };
}

const modelLine = (model: ModelChoice): string =>
  model.provider === 'scripted'
    ? `scripted model: script "${model.script}", no real model is called (set REPRISE_MODEL to have one); ` +
      '"call TOOL {…}" makes it call a tool of yours'
    : `${model.provider} ${model.model}`;

const curl = ({ url }: Served, rest: string): string =>
  `curl -s ${url}${rest} -H "Authorization: Bearer $TOKEN"`;

const tryLine = (served: Served): string =>
  served.demo.kind === 'agent'
    ? `${curl(served, '/v1/conversations')} -H "Idempotency-Key: $(date +%s)" ` +
      `-H 'Content-Type: application/json' -d '{"agentId":"${served.demo.agentId}"}'`
    : curl(served, '/v1/agents');

export const announcement = (served: Served): string =>
  [
    '',
    `  Reprise  ${served.url}/#token=${served.token}`,
    '',
    `  Model    ${modelLine(served.model)}`,
    `  Demo     ${served.demo.kind === 'agent' ? `CRM, mail and calendar at ${served.demo.url}` : served.demo.why}`,
    `  Data     ${served.dataDir}`,
    '',
    `  Try      TOKEN='${served.token}'`,
    `           ${tryLine(served)}`,
    `  AWS CLI  aws --endpoint-url ${served.url} stepfunctions list-state-machines`,
    '',
    '  Stop with Ctrl+C; started again, it goes on where it was.',
    '',
    '',
  ].join('\n');
