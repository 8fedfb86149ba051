// The recovery desk's list: what has to be recovered, oldest first, by tool and holder; as CSV to take away.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { deskPath, getText } from '../api/calls.ts';
import { useDesk, useTools } from '../api/queries.ts';
import type { DeskEntry } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loaded, ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Badge, effectShown } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { download } from '../run/export.ts';
import { Destination } from '../thread/action-parts.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

const parts = ['open', 'aside'] as const;
const owners = ['any', 'me', 'none'] as const;

interface Filter {
  readonly part: (typeof parts)[number];
  readonly owner: (typeof owners)[number];
  readonly tool: string;
}
const asQuery = ({ part, owner, tool }: Filter): Readonly<Record<string, string>> => ({
  part,
  tool,
  owner: owner === 'any' ? '' : owner,
});

const Who = ({ entry }: { readonly entry: DeskEntry }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { holder, heldUntil, recoverer } = entry;
  if (holder !== undefined && heldUntil !== undefined)
    return (
      <>
        <Plain text={words.desk.holder(holder.name)} /> <Time at={heldUntil} />
      </>
    );
  return recoverer === undefined ? (
    words.desk.nobody
  ) : (
    <Plain text={words.desk.inCharge(recoverer)} />
  );
};

const Row = ({ entry }: { readonly entry: DeskEntry }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <tr>
      <td>
        <Badge shown={effectShown(entry, words)} />
      </td>
      <th scope="row">
        <Link href={`/action/${entry.actionId}`}>{entry.tool.name}</Link>
        <div className="hint">
          <Destination of={entry.destination} />
        </div>
      </th>
      <td>
        <Time at={entry.since} />
      </td>
      <td>
        {entry.needsPerson ? (
          <span className="mark needs-you">
            <Icon name="hand" />
            {words.desk.needsPerson}
          </span>
        ) : (
          <span className="hint">{words.desk.looking}</span>
        )}
        {entry.because === undefined ? null : (
          <div className="hint">
            <Plain text={words.said(entry.because)} />
          </div>
        )}
      </td>
      <td>
        <Who entry={entry} />
      </td>
    </tr>
  );
};

const Filters = ({
  filter,
  choose,
}: {
  readonly filter: Filter;
  readonly choose: (filter: Filter) => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const tools = useTools().data ?? [];
  return (
    <div className="row desk-filters">
      {parts.map((part) => (
        <button
          key={part}
          type="button"
          aria-pressed={filter.part === part}
          onClick={() => choose({ ...filter, part })}
        >
          {words.desk.parts[part]}
        </button>
      ))}
      <label>
        {words.desk.owner}
        <select
          value={filter.owner}
          onChange={({ target }) =>
            choose({ ...filter, owner: owners.find((one) => one === target.value) ?? 'any' })
          }
        >
          {owners.map((owner) => (
            <option key={owner} value={owner}>
              {words.desk.owners[owner]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.desk.tool}
        <select
          value={filter.tool}
          onChange={({ target }) => choose({ ...filter, tool: target.value })}
        >
          <option value="">{words.all}</option>
          {tools.map(({ registration: { name } }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
};

const Table = ({ entries }: { readonly entries: readonly DeskEntry[] }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <div className="scroll-x">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.run.state}</th>
            <th scope="col">{words.call.tool}</th>
            <th scope="col">{words.desk.since}</th>
            <th scope="col">{words.call.because}</th>
            <th scope="col">{words.desk.owner}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.actionId} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

export const DeskScreen = (): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [filter, choose] = useState<Filter>({ part: 'open', owner: 'any', tool: '' });
  const exporting = useMutation({
    mutationFn: async () =>
      download('desk.csv', 'text/csv', await getText(`${deskPath(asQuery(filter))}&format=csv`)),
  });
  return (
    <section className="screen">
      <div className="screen-head">
        <h1>{words.desk.title}</h1>
        <button type="button" onClick={() => exporting.mutate()}>
          {words.desk.csv}
        </button>
      </div>
      {exporting.error ? <ProblemNote cause={exporting.error} /> : null}
      <p className="hint">{words.desk.hint}</p>
      <Filters filter={filter} choose={choose} />
      <Loaded asked={useDesk(asQuery(filter))}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={words.desk.empty} />
          ) : (
            <>
              <p role="status" className="hint">
                {words.desk.count(entries.length)}
              </p>
              <Table entries={entries} />
            </>
          )
        }
      </Loaded>
    </section>
  );
};
