// All agents, each with its newest revision.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAgents } from '../api/queries.ts';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { FirstAgent } from './first.tsx';
import { ModelWords } from './model-words.tsx';

export const AgentsScreen = (): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <section className="screen">
      <h1>{words.agents.title}</h1>
      <Loaded asked={useAgents()}>
        {(agents) =>
          agents.length === 0 ? (
            <Empty title={words.agents.empty}>
              <p>{words.agents.emptyHint}</p>
            </Empty>
          ) : (
            <ul className="cards">
              {agents.map(({ agentId, revision, configuration, createdAt }) => (
                <li key={agentId} className="card">
                  <h2>
                    <Link href={`/agents/${agentId}`}>
                      <Plain text={configuration.name} />
                    </Link>
                  </h2>
                  <p className="hint">
                    {words.agents.revision(revision)}, {words.agents.made} <Time at={createdAt} />
                  </p>
                  <p className="clamp">
                    <Plain text={configuration.prompt.slice(0, 300)} />
                  </p>
                  <p className="small">
                    <ModelWords of={configuration.model} />
                    <br />
                    {words.agents.brings(configuration.tools.length, configuration.skills.length)}
                  </p>
                  <Link href={`/new?agent=${agentId}`} className="button">
                    {words.agents.talk}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <FirstAgent />
    </section>
  );
};
