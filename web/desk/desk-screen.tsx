// The recovery desk's list: what has to be recovered, oldest first, by tool and holder; as CSV to take away.
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { deskCsv } from '../api/calls.ts';
import { useDesk } from '../api/lists.ts';
import type { DeskEntry } from '../api/types.ts';
import type { Shown } from '../api/use-book.ts';
import { Destination } from '../calls/action-parts.tsx';
import { download } from '../copying/export.ts';
import { Icon } from '../parts/icon.tsx';
import { MoreOf, NewOf } from '../parts/long-list.tsx';
import {
  type Choice,
  Choices,
  NoneFits,
  useNarrowing,
  useSharedChoices,
} from '../parts/narrowing.tsx';
import { Empty, Loaded, ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
import { Badge, effectShown } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { DeskCount } from './count.tsx';

const parts = ['open', 'aside'] as const;
const names = ['part', 'owner', 'state', 'tool', 'agentId', 'olderThanMs'] as const;
type Name = (typeof names)[number];
type Filter = { readonly [N in Name]: string };
const states = ['undetermined', 'in_progress', 'accepted', 'confirmed', 'not_performed'] as const;

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

/** What it waits for: what was decided, a date, a person, or a look-up. Nothing where nothing is planned. */
const Standing = ({ entry }: { readonly entry: DeskEntry }): ReactNode => {
  const { desk } = useLater();
  const { dispositions } = useWords();
  const { disposition, nextCheckAt, runningUntil, needsPerson, because } = entry;
  if (disposition !== 'open') return <span className="mark">{dispositions[disposition]}</span>;
  if (nextCheckAt !== undefined)
    return (
      <span className="hint">
        {desk.waitsUntil} <Time at={nextCheckAt} exact />
      </span>
    );
  if (needsPerson)
    return (
      <span className="mark needs-you">
        <Icon name="hand" />
        {desk.needsPerson}
      </span>
    );
  // An open request of recovery that asks for nobody: the machine looks, or the attempt may still be under way.
  return because === undefined && runningUntil === undefined ? null : (
    <span className="hint">{desk.looking}</span>
  );
};

const Because = ({ entry }: { readonly entry: DeskEntry }): ReactNode => {
  const { said } = useWords();
  return (
    <>
      <Standing entry={entry} />
      {entry.because === undefined ? null : (
        <div className="hint">
          <Plain text={said(entry.because)} />
        </div>
      )}
    </>
  );
};

const Row = ({ entry }: { readonly entry: DeskEntry }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <StackingRow
      name={
        <>
          <Link href={`/action/${entry.actionId}`}>{entry.tool.name}</Link>{' '}
          <span className="hint">
            <Destination of={entry.destination} />
          </span>
          <div className="about">
            <Plain text={entry.about} />
          </div>
        </>
      }
    >
      <Badge shown={effectShown(entry, words)} />
      <Time at={entry.since} />
      <Because entry={entry} />
      <Who entry={entry} />
    </StackingRow>
  );
};

const useChoices = (): readonly Choice<Name>[] => {
  const { all, effects } = useWords();
  const { desk, lists } = useLater();
  const { agent, tool, age } = useSharedChoices();
  const { any, me, none } = desk.owners;
  return [
    {
      name: 'owner',
      label: desk.owner,
      options: [
        ['', any],
        ['me', me],
        ['none', none],
      ],
    },
    {
      name: 'state',
      label: lists.state,
      options: [['', all], ...states.map((state) => [state, effects[state]] as const)],
    },
    tool,
    agent,
    age,
  ];
};

const Filters = ({
  filter,
  choose,
}: {
  readonly filter: Filter;
  readonly choose: (name: Name, value: string) => void;
}): ReactNode => {
  const { desk, lists } = useLater();
  const chosen = filter.part === 'aside' ? 'aside' : 'open';
  return (
    <fieldset className="row desk-filters">
      <legend className="for-ears">{lists.narrow}</legend>
      {parts.map((part) => (
        <button
          key={part}
          type="button"
          aria-pressed={chosen === part}
          onClick={() => choose('part', part === 'open' ? '' : part)}
        >
          {desk.parts[part]}
        </button>
      ))}
      <Choices choices={useChoices()} values={filter} choose={choose} />
    </fieldset>
  );
};

const Table = ({ entries }: { readonly entries: readonly DeskEntry[] }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { desk } = words;
  return (
    <StackingTable
      className="stacking desk-table"
      columns={[words.call.tool, words.run.state, desk.since, words.call.because, desk.owner]}
    >
      {entries.map((entry) => (
        <Row key={entry.actionId} entry={entry} />
      ))}
    </StackingTable>
  );
};

const Nothing = ({
  filter,
  narrow,
}: {
  readonly filter: Filter;
  readonly narrow: boolean;
}): ReactNode => {
  const { desk } = useLater();
  const aside = filter.part === 'aside';
  if (narrow) return <NoneFits all={aside ? '/desk?part=aside' : '/desk'} />;
  return <Empty title={aside ? desk.emptyAside : desk.empty} />;
};

const Entries = ({
  shown,
  filter,
  narrow,
}: {
  readonly shown: Shown<DeskEntry>;
  readonly filter: Filter;
  readonly narrow: boolean;
}): ReactNode => {
  const { lists } = useLater();
  return (
    <Loaded asked={shown}>
      {(book) =>
        book.rows.length === 0 && book.next === undefined ? (
          <Nothing filter={filter} narrow={narrow} />
        ) : (
          <>
            <p role="status" className="hint">
              <DeskCount shown={book} filter={filter} narrow={narrow} />
            </p>
            <NewOf shown={shown} label={lists.fresh(book.held.length)} />
            <Table entries={book.rows} />
            <MoreOf shown={shown} label={lists.more} />
          </>
        )
      }
    </Loaded>
  );
};

export const DeskScreen = (): ReactNode => {
  const { desk } = useLater();
  const [filter, choose] = useNarrowing(names);
  const exporting = useMutation({
    mutationFn: async () => download('desk.csv', 'text/csv', await deskCsv(filter)),
  });
  const narrow = names.some((name) => name !== 'part' && filter[name] !== '');
  return (
    <section className="screen">
      <div className="screen-head">
        <h1>{desk.title}</h1>
        <button type="button" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
          {desk.csv}
        </button>
      </div>
      {exporting.error ? <ProblemNote cause={exporting.error} /> : null}
      <p className="hint">{desk.hint}</p>
      <Filters filter={filter} choose={choose} />
      <Entries shown={useDesk(filter)} filter={filter} narrow={narrow} />
    </section>
  );
};
