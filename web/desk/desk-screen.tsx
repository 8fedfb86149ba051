// The recovery desk's list: every action whose outcome is not known and that nobody has given up, oldest first.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useNewestActions } from '../api/queries.ts';
import type { Action } from '../api/types.ts';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { actionShown, Badge } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { Destination } from '../thread/action-parts.tsx';
import { useWords } from '../words/index.tsx';

export const needsRecovery = ({ effect, disposition, contradicted }: Action): boolean =>
  disposition.kind !== 'abandoned' &&
  (contradicted || effect === 'undetermined' || effect === 'in_progress' || effect === 'engaged');

const Row = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  return (
    <tr>
      <td>
        <Badge shown={actionShown(action, words)} />
      </td>
      <th scope="row">
        <Link href={`/action/${action.actionId}`}>{action.tool.name}</Link>
      </th>
      <td>
        <Destination of={action.destination} />
      </td>
      <td>
        <Plain text={JSON.stringify(action.arguments).slice(0, 80)} />
      </td>
      <td>{action.firstEngagedAt === undefined ? null : <Time at={action.firstEngagedAt} />}</td>
    </tr>
  );
};

export const DeskScreen = (): ReactNode => {
  const words = useWords();
  return (
    <section className="screen">
      <h1>{words.later.desk}</h1>
      <p className="hint">{words.later.deskHint}</p>
      <Loaded asked={useNewestActions(5)}>
        {({ items }) => {
          const open = items
            .filter(needsRecovery)
            .toSorted((a, b) => (a.firstEngagedAt ?? '').localeCompare(b.firstEngagedAt ?? ''));
          if (open.length === 0) return <Empty title={words.later.deskEmpty} />;
          return (
            <div className="scroll-x">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{words.run.state}</th>
                    <th scope="col">{words.call.tool}</th>
                    <th scope="col">{words.call.destination}</th>
                    <th scope="col">{words.call.arguments}</th>
                    <th scope="col">{words.call.engaged}</th>
                  </tr>
                </thead>
                <tbody>
                  {open.map((action) => (
                    <Row key={action.actionId} action={action} />
                  ))}
                </tbody>
              </table>
            </div>
          );
        }}
      </Loaded>
    </section>
  );
};
