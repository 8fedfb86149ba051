// What people said need not be asked again for an agent, and taking it back.
import type { ReactNode } from 'react';
import { cache, keys } from '../api/cache.ts';
import { revokeGrant } from '../api/calls.ts';
import { useGrants } from '../api/queries.ts';
import type { GrantView } from '../api/types.ts';
import { type Act, Confirm } from '../parts/confirm.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

const One = ({ grant }: { readonly grant: GrantView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { agentId, requestId, tool, condition, stands, grantedBy, grantedAt, runId, expiresAtMs } =
    grant;
  const ending: Act = {
    label: words.grants.revoke,
    title: words.mandates.endTitle,
    means: words.mandates.endMeans,
    button: words.grants.revoke,
    reason: false,
    act: () => revokeGrant(agentId, requestId),
    after: () => cache.invalidateQueries({ queryKey: keys.grants(agentId) }),
  };
  return (
    <li className="card">
      <p>
        <strong>{tool}</strong>{' '}
        <span className="hint">{stands ? words.grants.stands : words.grants.ended}</span>
      </p>
      <p>
        {words.grants.whole} <code>{condition}</code>
      </p>
      <p className="hint">
        {words.approval.rememberScopes[runId === undefined ? 'agent' : 'run']},{' '}
        <Plain text={words.by(grantedBy.name)} /> <Time at={grantedAt} />
        {expiresAtMs === undefined ? null : (
          <>
            . {words.approval.expires} <Time at={expiresAtMs} />
          </>
        )}
      </p>
      {stands ? <Confirm of={ending} /> : null}
    </li>
  );
};

export const Grants = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <>
      <h2>{words.grants.title}</h2>
      <p className="hint">{words.grants.hint}</p>
      <Loaded asked={useGrants(agentId)}>
        {(grants) =>
          grants.length === 0 ? (
            <p className="hint">{words.grants.empty}</p>
          ) : (
            <ul className="cards">
              {grants.map((grant) => (
                <One key={grant.requestId} grant={grant} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
};
