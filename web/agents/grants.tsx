// What people said need not be asked again for an agent, and taking it back.
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cache, keys } from '../api/cache.ts';
import { revokeGrant } from '../api/calls.ts';
import { useGrants } from '../api/queries.ts';
import type { GrantView } from '../api/types.ts';
import { Loaded, ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';

const One = ({ grant }: { readonly grant: GrantView }): ReactNode => {
  const words = useWords();
  const { agentId, requestId, tool, condition, stands, grantedBy, grantedAt, runId } = grant;
  const revocation = useMutation({
    mutationFn: () => revokeGrant(agentId, requestId),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.grants(agentId) }),
  });
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
      </p>
      {revocation.error ? <ProblemNote cause={revocation.error} /> : null}
      {stands ? (
        <button type="button" disabled={revocation.isPending} onClick={() => revocation.mutate()}>
          {words.grants.revoke}
        </button>
      ) : null}
    </li>
  );
};

export const Grants = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const words = useWords();
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
