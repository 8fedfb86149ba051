// What the command prints when it serves. Owns: those words. They are true of the agents that the data folder has, not only
// of the demo's.
import type { ModelChoice } from '../../functions/core/registry/agent.ts';
import type { Language } from '../base/language.ts';
import type { Announcing } from './announce-fr.ts';
import { announceFr } from './announce-fr.ts';

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
    | { readonly kind: 'none' }
    | { readonly kind: 'not_registered'; readonly why: string };
}

const announceEn: Announcing = {
  scripted: (script) => `scripted model: script "${script}"`,
  calls: (name, model) => `"${name}" calls a real model: ${model}`,
  more: (count) => `and ${count} more ${count === 1 ? 'agent calls' : 'agents call'} real models`,
  demoAgents: ', the demo agent’s',
  demoAgentMissing: ', for the demo’s agent, which is not here',
  noReal: ', no real model is called',
  scriptedForDemo: ' for the demo’s agent',
  setModel: ' (set REPRISE_MODEL to have one); "call TOOL {…}" makes it call a tool of yours',
  labels: {
    model: 'Model',
    warning: 'Warning',
    agent: 'Agent',
    demo: 'Demo',
    data: 'Data',
    try: 'Try',
  },
  demoAt: (url) => `CRM, mail and calendar at ${url}`,
  noDemo: 'none (--no-demo)',
  notRegistered: (why) => `not registered: ${why}`,
  stop: 'Stop with Ctrl+C; started again, it goes on where it was.',
};

const words: { readonly [Each in Language]: Announcing } = { en: announceEn, fr: announceFr };

export const modelWords = (model: ModelChoice, language: Language = 'en'): string =>
  model.provider === 'scripted'
    ? words[language].scripted(model.script)
    : `${model.provider} ${model.model}`;

const lineOf = (label: string, text: string): string => `  ${label.padEnd(8)} ${text}`;

const namedMost = 5;

/** The agents with real models, one a line. */
const realLines = (real: readonly AgentModel[], language: Language): readonly string[] => [
  ...real
    .slice(0, namedMost)
    .map(({ name, model }) => lineOf('', words[language].calls(name, modelWords(model, language)))),
  ...(real.length > namedMost ? [lineOf('', words[language].more(real.length - namedMost))] : []),
];

const modelLines = ({ model, agents, demo }: Served, language: Language): readonly string[] => {
  const { labels, ...said } = words[language];
  const demoAgent = demo.kind === 'agent' ? demo.agentId : undefined;
  const real = agents.filter(
    (agent) => agent.model.provider !== 'scripted' && agent.agentId !== demoAgent,
  );
  const chosen = modelWords(model, language);
  const scripted = `${real.length === 0 ? said.noReal : said.scriptedForDemo}${said.setModel}`;
  const ofDemo = demoAgent === undefined ? said.demoAgentMissing : said.demoAgents;
  const rest = model.provider === 'scripted' ? scripted : ofDemo;
  return [lineOf(labels.model, `${chosen}${rest}`), ...realLines(real, language)];
};

const curl = ({ url }: Served, rest: string): string =>
  `curl -s ${url}${rest} -H "Authorization: Bearer $TOKEN"`;

const tryLine = (served: Served): string =>
  served.demo.kind === 'agent'
    ? `${curl(served, '/v1/conversations')} -H "Idempotency-Key: $(date +%s)" ` +
      `-H 'Content-Type: application/json' -d '{"agentId":"${served.demo.agentId}"}'`
    : curl(served, '/v1/agents');

const agentLine = ({ demo, agents }: Served, { labels }: Announcing): readonly string[] => {
  if (demo.kind !== 'agent') return [];
  const name = agents.find(({ agentId }) => agentId === demo.agentId)?.name;
  return [lineOf(labels.agent, `${demo.agentId}${name === undefined ? '' : `  ${name}`}`)];
};

const demoWords = ({ demo }: Served, said: Announcing): string => {
  switch (demo.kind) {
    case 'agent':
      return said.demoAt(demo.url);
    case 'none':
      return said.noDemo;
    case 'not_registered':
      return said.notRegistered(demo.why);
  }
};

export const announcement = (served: Served, language: Language = 'en'): string => {
  const said = words[language];
  const { labels } = said;
  return [
    '',
    lineOf('Reprise', `${served.url}/#token=${served.token}`),
    '',
    ...modelLines(served, language),
    ...served.warnings.map((warning) => lineOf(labels.warning, warning)),
    ...agentLine(served, said),
    lineOf(labels.demo, demoWords(served, said)),
    lineOf(labels.data, served.dataDir),
    '',
    lineOf(labels.try, `TOKEN='${served.token}'`),
    lineOf('', tryLine(served)),
    lineOf('AWS CLI', `aws --endpoint-url ${served.url} stepfunctions list-state-machines`),
    '',
    `  ${said.stop}`,
    '',
    '',
  ].join('\n');
};
