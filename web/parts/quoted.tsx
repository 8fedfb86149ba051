// What somebody said, within the reader's quotation marks.
import type { ReactNode } from 'react';
import { useLater } from '../words/later.ts';
import { Plain } from './plain-text.tsx';

export const Quoted = ({ text }: { readonly text: string }): ReactNode => {
  const [before, after] = useLater().quotes;
  return (
    <>
      {before}
      <Plain text={text} />
      {after}
    </>
  );
};
