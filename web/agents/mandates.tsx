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
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
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
    <StackingRow name={<Link href={`/tools/${of.tool}`}>{of.tool}</Link>}>
      <span>
        <Icon name={of.stands ? 'check' : 'stop'} />{' '}
        {of.stands ? mandates.stands : mandates.revoked}
      </span>
      {of.changes.length === 0 ? (
        <span className="hint">{mandates.never}</span>
      ) : (
        <History changes={of.changes} />
      )}
      <Confirm key={String(of.stands)} of={actOf(of, words)} />
    </StackingRow>
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
            <StackingTable
              className="stacking mandates"
              columns={[words.tool, words.state, words.last, words.act]}
            >
              {standings.map((one) => (
                <Row key={one.tool} of={one} />
              ))}
            </StackingTable>
          )
        }
      </Loaded>
    </>
  );
};
