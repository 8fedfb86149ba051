// All tools, each with its newest version and what its contract comes to.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTools } from '../api/queries.ts';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Destination } from '../thread/action-parts.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { FirstTool } from './first.tsx';

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
            <div className="scroll-x">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{words.call.tool}</th>
                    <th scope="col">{words.tools.fields.effect}</th>
                    <th scope="col">{words.call.destination}</th>
                    <th scope="col">{words.tools.verification}</th>
                  </tr>
                </thead>
                <tbody>
                  {tools.map(({ version, registration: { name, contract } }) => (
                    <tr key={name}>
                      <th scope="row">
                        <Link href={`/tools/${name}/${version}`}>{name}</Link>{' '}
                        <span className="hint">{words.call.version(version)}</span>
                      </th>
                      <td>{words.toolEffects[contract.effect]}</td>
                      <td>
                        <Destination of={contract.destination} />
                      </td>
                      <td>
                        {contract.verification === undefined ? (
                          contract.effect === 'read' ? (
                            <span className="hint">{words.tools.noNeed}</span>
                          ) : (
                            words.tools.neverVerified
                          )
                        ) : (
                          <Plain text={words.tools.verifiedBy(contract.verification.by)} />
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      <FirstTool />
    </section>
  );
};
