// What stands against an approval, as the API says it: while it does, approving is refused. Laws: L7, L20.
import type { ReactNode } from 'react';
import type { RequestView } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { Plain } from '../parts/plain-text.tsx';

type Against = RequestView['against'][number];

/** A look-alike is looked at and approved beside; all else keeps any attempt from opening. */
export const isBarring = ({ kind }: Against): boolean => kind !== 'look_alike';

export const AgainstNotes = ({ against }: { readonly against: readonly Against[] }): ReactNode =>
  against.map(({ kind, says }) => (
    <p key={kind} className="note problem" role="status">
      <Icon name="stop" /> <Plain text={says} />
    </p>
  ));
