// What the command prints when it serves. Owns: those words. They are true of the agents that the data folder has, not only
// of the demo's.
import type { ModelChoice } from '../functions/core/agent.ts';

export interface AgentModel {
  readonly agentId: string;
  readonly name: string;
  readonly model: ModelChoice;
}

export interface Served {
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
  /** What REPRISE_MODEL chose. */
  readonly model: ModelChoice;
  /** The newest revision of every agent. */
  readonly agents: readonly AgentModel[];
  /** Why agents will not be able to call their models. */
  readonly warnings: readonly string[];
  /** The demo's agent, or why there is none. */
  readonly demo:
    | { readonly kind: 'agent'; readonly agentId: string; readonly url: string }
    | { readonly kind: 'none'; readonly why: string };
}

export const modelWords = (model: ModelChoice): string =>
  model.provider === 'scripted'
    ? `scripted model: script "${model.script}"`
    : `${model.provider} ${model.model}`;

const namedMost = 5;

/** The agents with real models, one a line. */
const realLines = (real: readonly AgentModel[]): readonly string[] => [
  ...real
    .slice(0, namedMost)
    .map(({ name, model }) => `           "${name}" calls a real model: ${modelWords(model)}`),
  ...(real.length > namedMost
    ? [`           and ${real.length - namedMost} more agents call real models`]
    : []),
];

const modelLines = ({ model, agents, demo }: Served): readonly string[] => {
  const demoAgent = demo.kind === 'agent' ? demo.agentId : undefined;
  const real = agents.filter(
    (agent) => agent.model.provider !== 'scripted' && agent.agentId !== demoAgent,
  );
  if (model.provider !== 'scripted')
    return [
      `  Model    ${modelWords(model)}${demoAgent === undefined ? ', for the demo’s agent, which is not here' : ', the demo agent’s'}`,
      ...realLines(real),
    ];
  const none = real.length === 0 ? ', no real model is called' : ' for the demo’s agent';
  return [
    `  Model    ${modelWords(model)}${none} (set REPRISE_MODEL to have one); ` +
      '"call TOOL {…}" makes it call a tool of yours',
    ...realLines(real),
  ];
};

const curl = ({ url }: Served, rest: string): string =>
  `curl -s ${url}${rest} -H "Authorization: Bearer $TOKEN"`;

const tryLine = (served: Served): string =>
  served.demo.kind === 'agent'
    ? `${curl(served, '/v1/conversations')} -H "Idempotency-Key: $(date +%s)" ` +
      `-H 'Content-Type: application/json' -d '{"agentId":"${served.demo.agentId}"}'`
    : curl(served, '/v1/agents');

const agentLine = ({ demo, agents }: Served): readonly string[] => {
  if (demo.kind !== 'agent') return [];
  const name = agents.find(({ agentId }) => agentId === demo.agentId)?.name;
  return [`  Agent    ${demo.agentId}${name === undefined ? '' : `  ${name}`}`];
};

export const announcement = (served: Served): string =>
  [
    '',
    `  Reprise  ${served.url}/#token=${served.token}`,
    '',
    ...modelLines(served),
    ...served.warnings.map((warning) => `  Warning  ${warning}`),
    ...agentLine(served),
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
