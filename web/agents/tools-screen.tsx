// All tools, each with its newest version and what its contract comes to.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTools } from '../api/queries.ts';
import type { Contract, ToolVersion } from '../api/types.ts';
import { Destination } from '../calls/action-parts.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { FirstTool } from './first.tsx';

const Verification = ({ of }: { readonly of: Contract }): ReactNode => {
  const { tools } = useLater();
  const { effect, verification } = of;
  if (verification !== undefined) return <Plain text={tools.verifiedBy(verification.by)} />;
  return effect === 'read' ? <span className="hint">{tools.noNeed}</span> : tools.neverVerified;
};

const Row = ({ of }: { readonly of: ToolVersion }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const {
    version,
    registration: { name, contract },
  } = of;
  return (
    <StackingRow
      name={
        <>
          <Link href={`/tools/${name}/${version}`}>{name}</Link>{' '}
          <span className="hint">{words.call.version(version)}</span>
        </>
      }
    >
      {words.toolEffects[contract.effect]}
      <Destination of={contract.destination} />
      <Verification of={contract} />
    </StackingRow>
  );
};

export const ToolsScreen = (): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <section className="screen">
      <h1>{words.tools.title}</h1>
      <Loaded asked={useTools()}>
        {(tools) =>
          tools.length === 0 ? (
            <Empty title={words.tools.empty}>
              <p>{words.tools.emptyHint}</p>
            </Empty>
          ) : (
            <StackingTable
              columns={[
                words.call.tool,
                words.tools.fields.effect,
                words.call.destination,
                words.tools.verification,
              ]}
            >
              {tools.map((tool) => (
                <Row key={tool.registration.name} of={tool} />
              ))}
            </StackingTable>
          )
        }
      </Loaded>
      <FirstTool />
    </section>
  );
};
