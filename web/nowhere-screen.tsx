// What an address shows that names no screen of the page.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWords } from './words/index.tsx';
import { useLater } from './words/later.ts';

export const NowhereScreen = (): ReactNode => {
  const { nav } = useWords();
  const { nowhere } = useLater().lists;
  return (
    <section className="screen">
      <h1>{nowhere.title}</h1>
      <p className="note">{nowhere.hint}</p>
      <p>
        <Link href="/">{nav.conversations}</Link>
      </p>
    </section>
  );
};
