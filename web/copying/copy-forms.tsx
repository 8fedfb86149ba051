// The entries of a copy menu: the id, and the four forms of a thing.
import type { ReactNode } from 'react';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { CopyButton } from './copy-button.tsx';
import type { Thing } from './thing-kinds.ts';
import { formsOf } from './things.ts';

export const CopyForms = ({
  id,
  thing,
}: {
  readonly id: string;
  readonly thing: Thing;
}): ReactNode => {
  const words = useWords();
  const forms = formsOf(thing, { ...words, ...useLater() });
  return (
    <>
      <CopyButton plain label={words.copy.id} text={() => id} />
      <CopyButton plain label={words.copy.link} text={() => forms.link} />
      <CopyButton plain label={words.copy.json} text={forms.json} />
      <CopyButton plain label={words.copy.markdown} text={forms.markdown} />
      <CopyButton plain label={words.copy.curl} text={() => forms.curl} />
    </>
  );
};
