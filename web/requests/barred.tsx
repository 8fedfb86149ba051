// That a tool is barred, where an approval of it is asked for or was given: by whom, since when and why. Laws: L7.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { keys } from '../api/cache.ts';
import { getBar } from '../api/calls.ts';
import { listMs } from '../api/queries.ts';
import type { Action, BarView } from '../api/types.ts';
import { isOurs } from '../calls/action-parts.tsx';
import { Icon } from '../parts/icon.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useLater } from '../words/later.ts';

/** The bar that stands against an action which was not sent; looked at again while it is shown. */
export const useBarOn = (action: Action | undefined): BarView['changes'][number] | undefined => {
  const unsent = action !== undefined && action.effect === 'not_sent' && !isOurs(action);
  const tool = action?.tool.name ?? '';
  const { data } = useQuery({
    queryKey: keys.bar(tool),
    queryFn: () => getBar(tool),
    enabled: unsent,
    refetchInterval: listMs,
  });
  return unsent && data?.barred === true ? data.changes.at(-1) : undefined;
};

export const BarNote = ({
  by,
  tool,
  means,
}: {
  readonly by: BarView['changes'][number];
  readonly tool: string;
  readonly means: 'approving' | 'unsent';
}): ReactNode => {
  const { bar, again } = useLater();
  return (
    <div className="note problem" role="status">
      <p>
        <strong>
          <Icon name="stop" /> <Plain text={bar.barred(by.by.name)} />, <Time at={by.at} exact />
        </strong>{' '}
        <Plain text={by.reason} />
      </p>
      <p>
        {again.barredTool[means]}{' '}
        <Link href={`/tools/${encodeURIComponent(tool)}`}>{again.barredTool.open}</Link>
      </p>
    </div>
  );
};

/** Approved, and yet nothing was sent. */
export const UnsentByBar = ({ action }: { readonly action: Action | undefined }): ReactNode => {
  const by = useBarOn(action);
  return action === undefined || by === undefined ? null : (
    <BarNote by={by} tool={action.tool.name} means="unsent" />
  );
};
