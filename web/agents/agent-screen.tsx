// One agent: its newest revision or an older one, what changed to it, and making the next.
import { type ReactNode, useState } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { reviseAgent } from '../api/calls.ts';
import { useRevisions } from '../api/queries.ts';
import type { AgentRevision, Json } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { revisionId } from '../copying/thing-kinds.ts';
import { AgentFaults } from '../faults/fault-lists.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Compare } from './compare.tsx';
import { EditForm } from './edit-form.tsx';
import { Grants } from './grants.tsx';
import { Mandates } from './mandates.tsx';
import { ModelWords } from './model-words.tsx';

type Configuration = AgentRevision['configuration'];

/** A configuration as JSON: what is stored is nothing else. */
export const jsonOf = (configuration: Configuration): Json => {
  const json: Json = JSON.parse(JSON.stringify(configuration));
  return json;
};

const Settings = ({ of }: { readonly of: Configuration }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{words.agents.model}</dt>
          <dd>
            <ModelWords of={of.model} />
          </dd>
        </div>
        <div>
          <dt>{words.agents.tools}</dt>
          <dd>
            {of.tools.length === 0 ? words.none : null}
            <ul className="many">
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
            {of.skills.length === 0 ? words.agents.noSkills : null}
            <ul className="many">
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
  const words = { ...useWords(), ...useLater() };
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
            <Plain text={one.author?.name ?? one.createdBy} />
          </span>
        </li>
      ))}
    </ol>
  );
};

const useContent = (agentId: string, wanted: number) => {
  const { data, error, refetch } = useRevisions(agentId);
  const found = data?.find(({ revision }) => revision === wanted);
  return { data: found && jsonOf(found.configuration), error, refetch };
};

const revise = async (agentId: string, body: object, key: string): Promise<void> => {
  await reviseAgent(agentId, body, key);
  await cache.invalidateQueries({ queryKey: keys.revisions(agentId) });
  await cache.invalidateQueries({ queryKey: keys.agents });
};

const AgentPage = ({ revisions }: { readonly revisions: readonly AgentRevision[] }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [parameters] = useSearchParams();
  const [editing, setEditing] = useState(false);
  const wanted = Number(parameters.get('revision'));
  const newest = revisions[0];
  const shown = revisions.find(({ revision }) => revision === wanted) ?? newest;
  if (shown === undefined || newest === undefined) return null;
  return (
    <>
      <header className="screen-head">
        <h1>
          <Plain text={shown.configuration.name} />
        </h1>
        <CopyMenu id={shown.agentId} thing={{ kind: 'agent', of: newest }} />
        <Link href={`/new?agent=${shown.agentId}`} className="button main head-act">
          {words.agents.talk}
        </Link>
      </header>
      <div className="screen-head">
        <h2>{words.agents.revision(shown.revision)}</h2>
        <CopyMenu compact id={revisionId(shown)} thing={{ kind: 'revision', of: shown }} />
      </div>
      <Settings of={shown.configuration} />
      <Compare
        kind="agent"
        of={shown.agentId}
        newest={newest.revision}
        shown={shown.revision}
        name={words.agents.revision}
        only={words.agents.first}
        useContent={useContent}
      />
      <h2>{words.agents.revisions}</h2>
      <RevisionList revisions={revisions} shown={shown} />
      <p className="hint">{words.agents.keep}</p>
      <Mandates agentId={shown.agentId} />
      <Grants agentId={shown.agentId} />
      <div className={editing ? 'beside' : 'stack'}>
        {editing ? (
          <EditForm
            kind="agent"
            label={words.agents.json}
            before={jsonOf(newest.configuration)}
            button={words.agents.saveRevision}
            save={(body, key) => revise(newest.agentId, body, key)}
            leave={() => setEditing(false)}
          />
        ) : (
          <div>
            <button type="button" onClick={() => setEditing(true)}>
              {words.agents.edit}
            </button>
          </div>
        )}
        <AgentFaults agentId={shown.agentId} />
      </div>
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
