// An agent's standing permission for each of its tools: how it stands, who changed it last, and revoking or restoring it.
// Laws: L7.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { listMandates, setMandate } from '../api/calls.ts';
import type { StandingView } from '../api/types.ts';
import { type Act, Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loaded } from '../parts/notes.tsx';
import { type LaterWords, useLater } from '../words/later.ts';
import { History } from './history.tsx';

const actOf = ({ agentId, tool, stands }: StandingView, { mandates }: LaterWords): Act => {
  const how = stands ? 'revoke' : 'restore';
  return {
    label: mandates[how](tool),
    title: stands ? mandates.revokeTitle(tool) : mandates.restoreTitle(tool),
    means: stands ? mandates.revokeMeans : mandates.restoreMeans,
    button: stands ? mandates.revokeNow : mandates.restoreNow,
    reason: true,
    act: (reason) => setMandate(agentId, tool, how, reason),
    after: () => cache.invalidateQueries({ queryKey: keys.mandates(agentId) }),
  };
};

const Row = ({ of }: { readonly of: StandingView }): ReactNode => {
  const words = useLater();
  const { mandates } = words;
  return (
    <tr>
      <th scope="row">
        <Link href={`/tools/${of.tool}`}>{of.tool}</Link>
      </th>
      <td>
        <Icon name={of.stands ? 'check' : 'stop'} />{' '}
        {of.stands ? mandates.stands : mandates.revoked}
      </td>
      <td>
        {of.changes.length === 0 ? (
          <span className="hint">{mandates.never}</span>
        ) : (
          <History changes={of.changes} />
        )}
      </td>
      <td>
        <Confirm key={String(of.stands)} of={actOf(of, words)} />
      </td>
    </tr>
  );
};

export const Mandates = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const words = useLater().mandates;
  const asked = useQuery({
    queryKey: keys.mandates(agentId),
    queryFn: async () => (await listMandates(agentId)).items,
  });
  return (
    <>
      <h2>{words.title}</h2>
      <p className="hint">{words.hint}</p>
      <Loaded asked={asked}>
        {(standings) =>
          standings.length === 0 ? (
            <p className="hint">{words.empty}</p>
          ) : (
            <div className="scroll-x">
              <table className="mandates">
                <thead>
                  <tr>
                    <th scope="col">{words.tool}</th>
                    <th scope="col">{words.state}</th>
                    <th scope="col">{words.last}</th>
                    <th scope="col">{words.act}</th>
                  </tr>
                </thead>
                <tbody>
                  {standings.map((one) => (
                    <Row key={one.tool} of={one} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </>
  );
};
