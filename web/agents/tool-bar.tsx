// Whether a tool is barred for the whole workspace, by whom and since when; and barring it or letting it be used again.
// Laws: L7.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cache, keys } from '../api/cache.ts';
import { getBar, setBar } from '../api/calls.ts';
import type { BarView } from '../api/types.ts';
import { type Act, Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { type LaterWords, useLater } from '../words/later.ts';
import { History } from './history.tsx';

const actOf = ({ tool, barred }: BarView, { bar }: LaterWords): Act => {
  const how = barred ? 'unbar' : 'bar';
  return {
    label: bar[how],
    title: barred ? bar.unbarTitle(tool) : bar.barTitle(tool),
    means: barred ? bar.unbarMeans : bar.barMeans,
    button: barred ? bar.unbarNow : bar.barNow,
    reason: true,
    act: (reason) => setBar(tool, how, reason),
    after: () => cache.invalidateQueries({ queryKey: keys.bar(tool) }),
  };
};

const Standing = ({ view }: { readonly view: BarView }): ReactNode => {
  const words = useLater();
  const last = view.changes.at(-1);
  return (
    <>
      {view.barred && last !== undefined ? (
        <>
          <p className="problem">
            <strong>
              <Icon name="stop" /> <Plain text={words.bar.barred(last.by.name)} />,{' '}
              <Time at={last.at} exact />
            </strong>
            <Plain text={last.reason} />
          </p>
          <p>{words.bar.stops}</p>
        </>
      ) : null}
      <div className="row">
        <Confirm key={String(view.barred)} of={actOf(view, words)} />
        {view.barred ? null : <p className="hint">{words.bar.open}</p>}
      </div>
      <History changes={view.changes} />
    </>
  );
};

export const ToolBar = ({ tool }: { readonly tool: string }): ReactNode => {
  const asked = useQuery({ queryKey: keys.bar(tool), queryFn: () => getBar(tool) });
  return (
    <>
      <h2>{useLater().bar.title}</h2>
      <Loaded asked={asked}>{(view) => <Standing view={view} />}</Loaded>
    </>
  );
};
