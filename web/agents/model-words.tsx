// An agent's model in words: its name, then who provides it. Nothing of how it is reached.
import type { ReactNode } from 'react';
import type { AgentRevision } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { useLater } from '../words/later.ts';

type Model = AgentRevision['configuration']['model'];

export const ModelWords = ({ of }: { readonly of: Model }): ReactNode => {
  const { agents } = useLater();
  const { provider } = of;
  const where = provider === 'openai-compatible' ? new URL(of.baseUrl).host : undefined;
  return (
    <>
      <Plain text={provider === 'scripted' ? agents.script(of.script) : of.model} />{' '}
      <span className="hint">
        · {agents.providers[provider]}
        {where === undefined ? null : ` · ${where}`}
        {provider === 'bedrock' && of.region !== undefined ? ` · ${of.region}` : null}
      </span>
    </>
  );
};
