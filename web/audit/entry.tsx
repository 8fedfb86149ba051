// One entry of the audit: the sentence, when, the reason, and links to what it is about.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { useAnchor } from '../parts/anchor.ts';
import { Plain } from '../parts/plain-text.tsx';
import { Quoted } from '../parts/quoted.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { leadsOf, sentenceOf } from './sentence.ts';

export const Entry = ({ entry }: { readonly entry: AuditEntry }): ReactNode => {
  const words = useWords();
  const later = useLater();
  const { audit } = later;
  const anchor = useAnchor<HTMLLIElement>(entry.id);
  return (
    <li {...anchor}>
      <p>
        <strong>
          <Plain text={sentenceOf(entry, later)} />
        </strong>{' '}
        <span className="hint">
          <Time at={entry.at} exact />
          {(entry.version ?? 1) > 1 ? `, ${audit.numbered(entry.version ?? 1)}` : null}
        </span>
      </p>
      {entry.reason === undefined ? null : (
        <p>
          <Quoted text={words.said(entry.reason)} />
        </p>
      )}
      <p className="row">
        {leadsOf(entry).map(({ kind, href }) => (
          <Link key={kind} href={href}>
            {audit.links[kind]}
          </Link>
        ))}
        <CopyMenu compact id={entry.id} thing={{ kind: 'audit', of: entry }} />
      </p>
    </li>
  );
};
