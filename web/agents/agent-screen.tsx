// One agent: its newest revision or an older one, what changed to it, and making the next.
import { type ReactNode, useState } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { paths } from '../api/calls.ts';
import { useRevisions } from '../api/queries.ts';
import type { AgentRevision, Json } from '../api/types.ts';
import { CopyMenu } from '../parts/copy.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { Changes } from './changes.tsx';
import { Grants } from './grants.tsx';
import { ReviseForm } from './revise-form.tsx';

type Configuration = AgentRevision['configuration'];

/** A configuration as JSON: what is stored is nothing else. */
export const jsonOf = (configuration: Configuration): Json => {
  const json: Json = JSON.parse(JSON.stringify(configuration));
  return json;
};

const Settings = ({ of }: { readonly of: Configuration }): ReactNode => {
  const words = useWords();
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{words.agents.model}</dt>
          <dd>
            <JsonView value={JSON.parse(JSON.stringify(of.model))} label={words.agents.model} />
          </dd>
        </div>
        <div>
          <dt>{words.agents.tools}</dt>
          <dd>
            <ul>
              {of.tools.map(({ name, version }) => (
                <li key={name}>
                  <Link href={`/tools/${name}/${version}`}>{name}</Link>{' '}
                  <span className="hint">{words.call.version(version)}</span>
                </li>
              ))}
            </ul>
          </dd>
        </div>
        <div>
          <dt>{words.agents.skills}</dt>
          <dd>
            {of.skills.length === 0 ? words.none : null}
            <ul>
              {of.skills.map(({ name, version, grant }) => (
                <li key={name}>
                  <Link href={`/skills/${name}/${version}`}>{name}</Link>{' '}
                  <span className="hint">
                    {words.call.version(version)}, {words.agents.grant[grant]}
                  </span>
                </li>
              ))}
            </ul>
          </dd>
        </div>
        <div>
          <dt>{words.agents.stepLimit}</dt>
          <dd>{of.stepLimit}</dd>
        </div>
        <div>
          <dt>{words.agents.price}</dt>
          <dd>
            {of.price === undefined
              ? words.none
              : `${of.price.inputPerMillion} / ${of.price.outputPerMillion} ${of.price.currency}`}
          </dd>
        </div>
      </dl>
      <h3>{words.agents.prompt}</h3>
      <Block text={of.prompt} label={words.agents.prompt} />
    </>
  );
};

const RevisionList = ({
  revisions,
  shown,
}: {
  readonly revisions: readonly AgentRevision[];
  readonly shown: AgentRevision;
}): ReactNode => {
  const words = useWords();
  return (
    <ol className="revisions" reversed>
      {revisions.map((one, place) => (
        <li key={one.revision} value={one.revision}>
          <Link
            href={`/agents/${one.agentId}?revision=${one.revision}`}
            aria-current={one === shown ? 'true' : undefined}
          >
            {words.agents.revision(one.revision)}
          </Link>{' '}
          {place === 0 ? <span className="hint">{words.agents.newest}</span> : null}{' '}
          <span className="hint">
            <Time at={one.createdAt} /> {words.by('')}
            <Plain text={one.createdBy} />
          </span>
        </li>
      ))}
    </ol>
  );
};

const AgentPage = ({ revisions }: { readonly revisions: readonly AgentRevision[] }): ReactNode => {
  const words = useWords();
  const [parameters] = useSearchParams();
  const [editing, setEditing] = useState(false);
  const wanted = Number(parameters.get('revision'));
  const newest = revisions[0];
  const shown = revisions.find(({ revision }) => revision === wanted) ?? newest;
  if (shown === undefined || newest === undefined) return null;
  const before = revisions.find(({ revision }) => revision === shown.revision - 1);
  return (
    <>
      <header className="screen-head">
        <h1>
          <Plain text={shown.configuration.name} />
        </h1>
        <CopyMenu
          copied={{
            id: shown.agentId,
            place: `/agents/${shown.agentId}`,
            path: paths.agent(shown.agentId),
            json: () => shown,
          }}
        />
      </header>
      <h2>{words.agents.revision(shown.revision)}</h2>
      <Settings of={shown.configuration} />
      <h2>{words.agents.differences}</h2>
      {before === undefined ? (
        <p className="hint">{words.agents.first}</p>
      ) : (
        <Changes before={jsonOf(before.configuration)} after={jsonOf(shown.configuration)} />
      )}
      <h2>{words.agents.revisions}</h2>
      <RevisionList revisions={revisions} shown={shown} />
      <p className="hint">{words.agents.keep}</p>
      <Grants agentId={shown.agentId} />
      {editing ? (
        <ReviseForm newest={newest} leave={() => setEditing(false)} />
      ) : (
        <div>
          <button type="button" onClick={() => setEditing(true)}>
            {words.agents.edit}
          </button>
        </div>
      )}
    </>
  );
};

export const AgentScreen = (): ReactNode => {
  const { id = '' } = useParams<{ id: string }>();
  return (
    <section className="screen">
      <Loaded asked={useRevisions(id)}>{(revisions) => <AgentPage revisions={revisions} />}</Loaded>
    </section>
  );
};
